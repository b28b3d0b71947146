// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import dev.holdfast.grpc.balance.policy.LeastRequestBalancer;
import dev.holdfast.grpc.balance.policy.Policy;
import dev.holdfast.grpc.balance.policy.PolicyFactory;
import dev.holdfast.grpc.balance.policy.RingHashBalancer;
import dev.holdfast.grpc.balance.policy.WeightedRoundRobinBalancer;
import dev.holdfast.grpc.balance.policy.WeightedRoundRobinConfig;
import dev.holdfast.xds.resources.cluster.LbPolicy;
import io.grpc.LoadBalancerProvider;
import io.grpc.LoadBalancerRegistry;
import io.grpc.NameResolver.ConfigOrError;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Who balances over endpoints, for each policy that a cluster can name. An error names the policy
 * and says what is wrong with it; it fails the cluster, and no other.
 */
final class EndpointPolicies implements LbPolicy.Visitor<StatusOr<Policy>> {
  private final LoadBalancerRegistry registry;
  private final PolicyFactory leastRequest;
  private final PolicyFactory weightedRoundRobin;

  EndpointPolicies(Environment environment) {
    this(environment, () -> "");
  }

  /**
   * @param cluster whose endpoints they are, for metrics
   */
  EndpointPolicies(Environment environment, Supplier<String> cluster) {
    registry = environment.registry();
    leastRequest = LeastRequestBalancer.factory(environment.random());
    weightedRoundRobin =
        WeightedRoundRobinBalancer.factory(environment.random(), environment.nanoTime(), cluster);
  }

  @Override
  public StatusOr<Policy> roundRobin(LbPolicy.RoundRobin policy) {
    return registered(policy.name(), Map.of());
  }

  @Override
  public StatusOr<Policy> pickFirst(LbPolicy.PickFirst policy) {
    return registered(policy.name(), Map.of("shuffleAddressList", policy.shuffleAddressList()));
  }

  @Override
  public StatusOr<Policy> ringHash(LbPolicy.RingHash policy) {
    return StatusOr.fromValue(
        new Policy(
            RingHashBalancer.FACTORY,
            new RingHashBalancer.Config(policy.minRingSize(), policy.maxRingSize())));
  }

  @Override
  public StatusOr<Policy> leastRequest(LbPolicy.LeastRequest policy) {
    return StatusOr.fromValue(
        new Policy(leastRequest, new LeastRequestBalancer.Config(policy.choiceCount())));
  }

  @Override
  public StatusOr<Policy> wrrLocality(LbPolicy.WrrLocality policy) {
    return unusable(policy.name(), "is about localities (expected: a policy for endpoints)");
  }

  /** Ours, also where grpc-xds has one: what a cluster gets does not depend on the class path. */
  @Override
  public StatusOr<Policy> clientSideWeightedRoundRobin(
      LbPolicy.ClientSideWeightedRoundRobin policy) {
    return StatusOr.fromValue(new Policy(weightedRoundRobin, new WeightedRoundRobinConfig(policy)));
  }

  @Override
  public StatusOr<Policy> custom(LbPolicy.Custom policy) {
    return registered(policy.name(), StructJson.object(policy.config()));
  }

  private StatusOr<Policy> registered(String name, Map<String, ?> config) {
    LoadBalancerProvider provider = registry.getProvider(name);
    if (provider == null) {
      return unusable(name, "is not registered (expected: its provider on the class path)");
    }
    ConfigOrError parsed;
    try {
      parsed = provider.parseLoadBalancingPolicyConfig(config);
    } catch (RuntimeException e) {
      // It is somebody else's code, and what it is given was checked by nobody before.
      return unusable(name, "cannot read its configuration: " + e);
    }
    Status error = parsed.getError();
    return error == null
        ? StatusOr.fromValue(new Policy(provider, parsed.getConfig()))
        : unusable(name, "rejects its configuration: " + StatusText.of(error));
  }

  private static StatusOr<Policy> unusable(String name, String why) {
    return StatusOr.fromStatus(
        Status.UNAVAILABLE.withDescription("load balancing policy " + name + " " + why));
  }
}
