// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes a split between clusters (gRFC A28). The deprecated {@code total_weight} is ignored: the
 * sum of the weights is the total.
 */
final class WeightedClustersDecoder {
  private static final long MAX_SUM = 0xFFFF_FFFFL;

  private WeightedClustersDecoder() {}

  /** The clusters; incomplete if problems were reported. */
  static List<WeightedCluster> decode(
      io.envoyproxy.envoy.config.route.v3.WeightedCluster proto,
      Decoding decoding,
      Problems problems) {
    FilterOverrides overrides = new FilterOverrides(decoding);
    List<WeightedCluster> clusters = new ArrayList<>(proto.getClustersCount());
    long sum = 0;
    for (int i = 0; i < proto.getClustersCount() && !Decoding.full(problems); i++) {
      var cluster = proto.getClusters(i);
      if (cluster.getName().isEmpty()) {
        problems.at("clusters", i).at("name").required("not set (expected: a cluster)");
      }
      long weight = Integer.toUnsignedLong(cluster.getWeight().getValue());
      sum += weight;
      clusters.add(
          new WeightedCluster(
              cluster.getName(),
              weight,
              overrides.decode(cluster.getTypedPerFilterConfigMap(), problems.at("clusters", i))));
    }
    if (proto.getClustersCount() == 0) {
      problems.at("clusters").required("empty (expected: at least one cluster)");
    } else if (sum == 0 || sum > MAX_SUM) {
      problems
          .at("clusters")
          .invalid("sum of weights: " + sum + " (expected: 1 to " + MAX_SUM + ")");
    }
    return clusters;
  }
}
