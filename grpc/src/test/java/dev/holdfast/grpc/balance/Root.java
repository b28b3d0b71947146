// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance;

import dev.holdfast.grpc.balance.cluster.CircuitBreakers;
import dev.holdfast.grpc.balance.cluster.Environment;
import dev.holdfast.grpc.balance.kit.Configs;
import dev.holdfast.grpc.balance.kit.FakeChannel;
import dev.holdfast.grpc.config.ClusterConfig;
import dev.holdfast.grpc.config.XdsConfig;
import dev.holdfast.grpc.security.ClusterSecurity;
import io.grpc.LoadBalancer.ResolvedAddresses;
import io.grpc.LoadBalancerRegistry;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The balancer at the root of a channel, and the clusters that it is given. */
final class Root {
  final FakeChannel channel = new FakeChannel();
  final ClusterManager manager;
  private final Map<String, StatusOr<ClusterConfig>> clusters = new LinkedHashMap<>();
  private List<String> routed = List.of();

  Root() {
    Random random = new Random(5);
    manager =
        new ClusterManager(
            channel,
            new Environment(
                () -> random,
                LoadBalancerRegistry.getDefaultRegistry(),
                new CircuitBreakers(),
                ClusterSecurity.withoutProviders()));
  }

  Root with(ClusterConfig config) {
    clusters.put(config.cluster().name(), StatusOr.fromValue(config));
    return this;
  }

  Root with(String name, Status error) {
    clusters.put(name, StatusOr.fromStatus(error));
    return this;
  }

  Root without(String name) {
    clusters.remove(name);
    return this;
  }

  /** The clusters that routes name; it makes a difference for leaves of aggregate ones only. */
  Root routedTo(String... names) {
    routed = List.of(names);
    return this;
  }

  XdsConfig config() {
    return Configs.of(Configs.routesTo(routed), clusters);
  }

  /** Gives the balancer all that there is. */
  void give() {
    give(config());
  }

  void give(XdsConfig config) {
    channel.run(
        () ->
            manager.acceptResolvedAddresses(
                ResolvedAddresses.newBuilder()
                    .setAddresses(List.of())
                    .setAttributes(Configs.attributes(config))
                    .build()));
  }
}
