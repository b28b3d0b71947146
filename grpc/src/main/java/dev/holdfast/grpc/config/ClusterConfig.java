// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import dev.holdfast.xds.resources.cluster.Cluster;
import dev.holdfast.xds.resources.endpoint.ClusterLoadAssignment;
import io.grpc.StatusOr;
import java.util.List;

/**
 * One cluster and what it stands for.
 *
 * @param note what is amiss without being fatal (gRFC A88), or else which node this is: for the
 *     errors that calls to this cluster end with; never empty
 */
public record ClusterConfig(Cluster cluster, Members members, String note) {

  /** Where the calls go. */
  public sealed interface Members {}

  /**
   * A cluster with endpoints of its own.
   *
   * @param assignment what EDS or DNS said; an error makes the cluster unreachable. What DNS said
   *     is one endpoint with all the addresses, whose hostname is the name that was resolved
   */
  public record Endpoints(StatusOr<ClusterLoadAssignment> assignment) implements Members {}

  /**
   * An aggregate cluster (gRFC A37).
   *
   * @param leaves the clusters under it that have endpoints, the preferred ones first, each once;
   *     all of them are in {@link XdsConfig#clusters}
   */
  public record Aggregate(List<String> leaves) implements Members {
    public Aggregate {
      leaves = List.copyOf(leaves);
    }
  }
}
