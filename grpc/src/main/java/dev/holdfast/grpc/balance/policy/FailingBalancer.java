// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import static io.grpc.ConnectivityState.TRANSIENT_FAILURE;

import io.grpc.LoadBalancer;
import io.grpc.Status;
import java.util.Objects;

/** Fails all calls with the status that is its configuration. */
public final class FailingBalancer extends LoadBalancer {
  private static final PolicyFactory FACTORY = new PolicyFactory("failing", FailingBalancer::new);

  private final Helper helper;

  private FailingBalancer(Helper helper) {
    this.helper = helper;
  }

  /** The policy that fails all calls with the given error. */
  public static Policy with(Status error) {
    return new Policy(FACTORY, error);
  }

  @Override
  public Status acceptResolvedAddresses(ResolvedAddresses resolved) {
    Status error =
        (Status) Objects.requireNonNull(resolved.getLoadBalancingPolicyConfig(), "config");
    handleNameResolutionError(error);
    // Once more: a graceful switch that came here from a balancer that was ready takes the first
    // report as the reason to switch, and notes only with the next that nothing is ready now.
    handleNameResolutionError(error);
    return Status.OK;
  }

  @Override
  public void handleNameResolutionError(Status error) {
    helper.updateBalancingState(TRANSIENT_FAILURE, Pickers.failing(error));
  }

  @Override
  public void shutdown() {}
}
