// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.endpoint;

import java.util.List;

/**
 * The endpoints of a cluster.
 *
 * @param localities as they were sent; their priorities are 0 to some number without gaps, and no
 *     locality occurs twice in one priority
 * @param dropOverloads in the order in which they apply
 */
public record ClusterLoadAssignment(
    String clusterName, List<LocalityEndpoints> localities, List<DropOverload> dropOverloads) {
  public ClusterLoadAssignment {
    localities = List.copyOf(localities);
    dropOverloads = List.copyOf(dropOverloads);
  }
}
