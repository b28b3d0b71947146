// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import java.util.List;

/**
 * A cluster that a host needs.
 *
 * @param origins the routes that need it
 */
public record ClusterDemand(PlannedCluster spec, List<FieldOrigin> origins) {
  public ClusterDemand {
    origins = List.copyOf(origins);
  }
}
