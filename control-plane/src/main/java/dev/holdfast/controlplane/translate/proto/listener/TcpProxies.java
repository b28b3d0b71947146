// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.listener;

import dev.holdfast.controlplane.translate.proto.Anys;
import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy;
import io.envoyproxy.envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.WeightedCluster;
import io.envoyproxy.envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.WeightedCluster.ClusterWeight;
import java.util.List;

/** TCP proxy filters, which forward connections unchanged. */
final class TcpProxies {
  private static final String NAME = "envoy.filters.network.tcp_proxy";

  private TcpProxies() {}

  static Filter filter(String statPrefix, List<TcpTarget> targets, HttpOptions options) {
    TcpProxy.Builder proxy =
        TcpProxy.newBuilder().setStatPrefix(statPrefix).addAllAccessLog(AccessLogs.of(options));
    List<TcpTarget> weighted = weighted(targets);
    if (weighted.size() == 1) {
      proxy.setCluster(weighted.get(0).cluster());
    } else {
      proxy.setWeightedClusters(clusters(weighted));
    }
    return Filter.newBuilder().setName(NAME).setTypedConfig(Anys.of(proxy.build())).build();
  }

  /**
   * If no target has a weight, all get the same weight. Otherwise targets without a weight are left
   * out, because Envoy rejects them.
   */
  private static List<TcpTarget> weighted(List<TcpTarget> targets) {
    if (targets.isEmpty()) {
      throw new IllegalArgumentException("targets: [] (expected: at least one)");
    }
    List<TcpTarget> some = targets.stream().filter(target -> target.weight() > 0).toList();
    return some.isEmpty()
        ? targets.stream().map(target -> new TcpTarget(target.cluster(), 1)).toList()
        : some;
  }

  private static WeightedCluster clusters(List<TcpTarget> targets) {
    WeightedCluster.Builder clusters = WeightedCluster.newBuilder();
    for (TcpTarget target : targets) {
      clusters.addClusters(
          ClusterWeight.newBuilder().setName(target.cluster()).setWeight((int) target.weight()));
    }
    return clusters.build();
  }
}
