// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import dev.holdfast.controlplane.snapshot.Resource;
import java.util.List;

/**
 * A resource, and the proxies that run, received or rejected it.
 *
 * @param accepted the nodes that run this version
 * @param pending the nodes that were sent this version and have not answered
 * @param rejected the nodes that rejected this version
 */
public record ResourceReport(
    Resource resource, List<String> accepted, List<String> pending, List<String> rejected) {
  public ResourceReport {
    accepted = List.copyOf(accepted);
    pending = List.copyOf(pending);
    rejected = List.copyOf(rejected);
  }
}
