// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance;

import dev.holdfast.grpc.balance.cluster.Environment;
import io.grpc.LoadBalancer;
import io.grpc.LoadBalancerProvider;
import io.grpc.NameResolver.ConfigOrError;
import java.util.Map;

/**
 * Makes the balancer at the root of a channel. The service config of the channel names it, without
 * any configuration: what there is to know comes as the attribute {@code XdsConfig.KEY} of what the
 * name resolver found.
 */
public final class ClusterManagerProvider extends LoadBalancerProvider {
  /** What the service config calls it. */
  public static final String POLICY_NAME = "holdfast_cluster_manager";

  @Override
  public boolean isAvailable() {
    return true;
  }

  @Override
  public int getPriority() {
    return 5;
  }

  @Override
  public String getPolicyName() {
    return POLICY_NAME;
  }

  @Override
  public LoadBalancer newLoadBalancer(LoadBalancer.Helper helper) {
    return new ClusterManager(helper, Environment.ofThisProcess());
  }

  @Override
  public ConfigOrError parseLoadBalancingPolicyConfig(Map<String, ?> config) {
    return ConfigOrError.fromConfig(POLICY_NAME);
  }
}
