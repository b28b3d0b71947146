// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.cluster;

import com.google.protobuf.Message;
import dev.holdfast.controlplane.objects.httpproxy.LoadBalancing;
import dev.holdfast.controlplane.translate.proto.Anys;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.cluster.v3.LoadBalancingPolicy;
import io.envoyproxy.envoy.extensions.load_balancing_policies.random.v3.Random;
import io.envoyproxy.envoy.extensions.load_balancing_policies.round_robin.v3.RoundRobin;

/** Load balancing policies of clusters. */
final class Balancing {
  /**
   * A client uses the first policy that it knows. gRPC has no random policy and would reject the
   * cluster without the second.
   */
  private static final LoadBalancingPolicy RANDOM_IF_POSSIBLE =
      LoadBalancingPolicy.newBuilder()
          .addPolicies(policy("random", Random.getDefaultInstance()))
          .addPolicies(policy("round_robin", RoundRobin.getDefaultInstance()))
          .build();

  private Balancing() {}

  static void set(Cluster.Builder cluster, LoadBalancing balancing) {
    switch (balancing) {
      case ROUND_ROBIN -> cluster.setLbPolicy(Cluster.LbPolicy.ROUND_ROBIN);
      case WEIGHTED_LEAST_REQUEST -> cluster.setLbPolicy(Cluster.LbPolicy.LEAST_REQUEST);
      case COOKIE, REQUEST_HASH -> cluster.setLbPolicy(Cluster.LbPolicy.RING_HASH);
      case RANDOM ->
          cluster.setLbPolicy(Cluster.LbPolicy.RANDOM).setLoadBalancingPolicy(RANDOM_IF_POSSIBLE);
    }
    // Without panic mode: if most endpoints are unhealthy, requests go to the healthy rest, not to
    // all.
    cluster.getCommonLbConfigBuilder().getHealthyPanicThresholdBuilder().setValue(0);
  }

  private static LoadBalancingPolicy.Policy policy(String name, Message config) {
    LoadBalancingPolicy.Policy.Builder policy = LoadBalancingPolicy.Policy.newBuilder();
    policy
        .getTypedExtensionConfigBuilder()
        .setName("envoy.load_balancing_policies." + name)
        .setTypedConfig(Anys.of(config));
    return policy.build();
  }
}
