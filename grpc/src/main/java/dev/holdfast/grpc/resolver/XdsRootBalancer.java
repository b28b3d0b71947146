// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import dev.holdfast.grpc.config.XdsConfig;
import dev.holdfast.grpc.libraries.LibraryCheck;
import dev.holdfast.grpc.routing.CallRouter;
import io.grpc.ConnectivityState;
import io.grpc.LoadBalancer;
import io.grpc.LoadBalancerProvider;
import io.grpc.LoadBalancerRegistry;
import io.grpc.NameResolver.ConfigOrError;
import io.grpc.Status;
import io.grpc.util.ForwardingLoadBalancerHelper;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stands above the balancers of the clusters. While there is no configuration it fails calls that
 * do not wait, with the reason; those that wait, it keeps until there is one and routes them then.
 */
final class XdsRootBalancer extends LoadBalancer {
  /** The balancer that sends each call to the cluster of its route. */
  private static final String CLUSTERS = "holdfast_cluster_manager";

  private final Helper helper;
  private @Nullable LoadBalancer clusters;
  private @Nullable Object clustersConfig;

  XdsRootBalancer(Helper helper) {
    this.helper = helper;
  }

  @Override
  public Status acceptResolvedAddresses(ResolvedAddresses resolved) {
    ResolutionFailure failure = resolved.getAttributes().get(ResolutionFailure.KEY);
    if (failure != null) {
      fail(failure.status());
      return failure.askAgain() ? failure.status() : Status.OK;
    }
    CallRouter router = resolved.getAttributes().get(CallRouter.ROUTER);
    if (router == null || resolved.getAttributes().get(XdsConfig.KEY) == null) {
      return refuse("policy " + XdsRootBalancerProvider.POLICY + " (expected: an xds: target)");
    }
    if (clusters == null && !open(router)) {
      return refuse("policy " + CLUSTERS + ": not registered (expected: part of Holdfast)");
    }
    try {
      return clusters == null
          ? Status.OK
          : clusters.acceptResolvedAddresses(
              resolved.toBuilder().setLoadBalancingPolicyConfig(clustersConfig).build());
    } catch (LinkageError e) { // for gRPC the end of the channel, without a reason
      return refuse(LibraryCheck.describe(e));
    }
  }

  private Status refuse(String text) {
    Status status = Status.UNAVAILABLE.withDescription(text);
    fail(status);
    return status;
  }

  private boolean open(CallRouter router) {
    LoadBalancerProvider provider = LoadBalancerRegistry.getDefaultRegistry().getProvider(CLUSTERS);
    if (provider == null) {
      return false;
    }
    ConfigOrError config = provider.parseLoadBalancingPolicyConfig(Map.of());
    clustersConfig = config.getConfig();
    clusters = provider.newLoadBalancer(new LateRoutingHelper(router));
    return true;
  }

  private void fail(Status status) {
    shutdown();
    helper.updateBalancingState(
        ConnectivityState.TRANSIENT_FAILURE, new FixedResultPicker(PickResult.withError(status)));
  }

  /** Only for what goes wrong outside of the resolver; what was in use stays so. */
  @Override
  public void handleNameResolutionError(Status error) {
    if (clusters == null) {
      fail(Status.UNAVAILABLE.withDescription(error.getDescription()).withCause(error.getCause()));
    }
  }

  @Override
  public void requestConnection() {
    if (clusters != null) {
      clusters.requestConnection();
    }
  }

  @Override
  public void shutdown() {
    if (clusters != null) {
      LoadBalancer before = clusters;
      clusters = null;
      before.shutdown();
    }
  }

  private final class LateRoutingHelper extends ForwardingLoadBalancerHelper {
    private final CallRouter router;

    LateRoutingHelper(CallRouter router) {
      this.router = router;
    }

    @Override
    protected Helper delegate() {
      return helper;
    }

    @Override
    public void updateBalancingState(ConnectivityState state, SubchannelPicker picker) {
      if (clusters != null) { // else it is about to go
        helper.updateBalancingState(state, new LateRoutingPicker(picker, router));
      }
    }
  }
}
