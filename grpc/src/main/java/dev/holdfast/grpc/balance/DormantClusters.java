// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance;

import dev.holdfast.grpc.config.ClusterConfig;
import dev.holdfast.grpc.config.XdsConfig;
import dev.holdfast.xds.resources.route.Route;
import dev.holdfast.xds.resources.route.RouteAction;
import dev.holdfast.xds.resources.route.WeightedCluster;
import io.grpc.StatusOr;
import java.util.HashSet;
import java.util.Set;

/**
 * The clusters that are there because an aggregate cluster needs them: leaves that no route names.
 * A call may still be under way to one, from a time when a route did; it wakes it.
 */
final class DormantClusters {
  private DormantClusters() {}

  static Set<String> of(XdsConfig config) {
    Set<String> leaves = new HashSet<>();
    for (StatusOr<ClusterConfig> cluster : config.clusters().values()) {
      if (cluster.hasValue()
          && cluster.getValue().members() instanceof ClusterConfig.Aggregate aggregate) {
        leaves.addAll(aggregate.leaves());
      }
    }
    if (!leaves.isEmpty()) {
      for (Route route : config.virtualHost().routes()) {
        if (route.action() instanceof RouteAction.Forward forward) {
          for (WeightedCluster cluster : forward.clusters()) {
            leaves.remove(cluster.name());
          }
        }
      }
    }
    return leaves;
  }
}
