// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import dev.holdfast.grpc.balance.policy.Policy;
import dev.holdfast.grpc.balance.policy.PolicyFactory;
import dev.holdfast.xds.resources.cluster.OutlierDetection;
import io.grpc.LoadBalancer;
import io.grpc.Status;
import io.grpc.util.OutlierDetectionLoadBalancer.OutlierDetectionLoadBalancerConfig;
import io.grpc.util.OutlierDetectionLoadBalancerProvider;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sessions and priorities under gRPC's outlier detection (gRFC A50), over all endpoints of the
 * cluster.
 *
 * <p>What gRPC's policy leaves open is closed here: its timer is stopped when it is shut down,
 * requests to connect reach the priorities, and it sees subchannels of one address each, the only
 * ones that it can follow.
 */
final class OutlierBalancer extends LoadBalancer {
  static final PolicyFactory FACTORY = new PolicyFactory("outliers", OutlierBalancer::new);

  private final LoadBalancer detection;
  private final PolicyFactory priorities = new PolicyFactory("priority", this::newPriorities);
  private @Nullable LoadBalancer below;
  private @Nullable ResolvedAddresses accepted;

  record Config(OutlierDetection detection, SessionBalancer.Config below) {}

  OutlierBalancer(Helper helper) {
    detection = new OutlierDetectionLoadBalancerProvider().newLoadBalancer(helper);
  }

  private LoadBalancer newPriorities(Helper helper) {
    LoadBalancer created = SessionBalancer.FACTORY.newLoadBalancer(new SplittingHelper(helper));
    below = created;
    return created;
  }

  @Override
  public Status acceptResolvedAddresses(ResolvedAddresses resolved) {
    accepted = resolved;
    Config config = config(resolved);
    return pass(resolved, OutlierConfigs.of(config.detection()), config);
  }

  private Status pass(
      ResolvedAddresses resolved,
      OutlierDetectionLoadBalancerConfig.Builder detector,
      Config config) {
    Object child = new Policy(priorities, config.below()).forSwitch();
    return detection.acceptResolvedAddresses(
        resolved.toBuilder()
            .setLoadBalancingPolicyConfig(detector.setChildConfig(child).build())
            .build());
  }

  private static Config config(ResolvedAddresses resolved) {
    return (Config) Objects.requireNonNull(resolved.getLoadBalancingPolicyConfig(), "config");
  }

  @Override
  public void handleNameResolutionError(Status error) {
    detection.handleNameResolutionError(error);
  }

  @Override
  public void requestConnection() {
    if (below != null) {
      below.requestConnection();
    }
  }

  @Override
  public void shutdown() {
    if (accepted != null) {
      // Without an algorithm, the timer is cancelled; nothing changes for the priorities.
      pass(accepted, new OutlierDetectionLoadBalancerConfig.Builder(), config(accepted));
    }
    detection.shutdown();
  }
}
