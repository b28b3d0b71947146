// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import dev.holdfast.controlplane.snapshot.Resource;
import java.util.List;

/**
 * One resource, and who has it.
 *
 * @param accepted the nodes that run this version
 * @param pending the nodes that were sent it and have not answered
 * @param rejected the nodes that refused it
 */
public record ResourceReport(
    Resource resource, List<String> accepted, List<String> pending, List<String> rejected) {
  public ResourceReport {
    accepted = List.copyOf(accepted);
    pending = List.copyOf(pending);
    rejected = List.copyOf(rejected);
  }
}
