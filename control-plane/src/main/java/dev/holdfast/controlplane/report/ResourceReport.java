// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.SourcePlace;
import java.util.List;
import java.util.Map;

/**
 * A resource, and the proxies that run, received or rejected it.
 *
 * @param accepted the nodes that run this version
 * @param pending the nodes that were sent this version and have not answered
 * @param rejected the nodes that rejected this version
 * @param locations where the fields of its provenance are written; without those of objects that
 *     were edited since
 */
public record ResourceReport(
    Resource resource,
    List<String> accepted,
    List<String> pending,
    List<String> rejected,
    Map<SourcePlace, String> locations) {
  public ResourceReport {
    accepted = List.copyOf(accepted);
    pending = List.copyOf(pending);
    rejected = List.copyOf(rejected);
    locations = Map.copyOf(locations);
  }

  public ResourceReport(
      Resource resource, List<String> accepted, List<String> pending, List<String> rejected) {
    this(resource, accepted, pending, rejected, Map.of());
  }

  /** The same report with the locations of fields. */
  public ResourceReport withLocations(Map<SourcePlace, String> known) {
    return new ResourceReport(resource, accepted, pending, rejected, known);
  }
}
