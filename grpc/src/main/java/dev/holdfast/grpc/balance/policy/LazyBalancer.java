// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import static io.grpc.ConnectivityState.IDLE;

import io.grpc.LoadBalancer;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Is idle until somebody asks for a connection, and then is the balancer that it stands for, which
 * connects at once. For whoever has many endpoints and needs few of them.
 */
final class LazyBalancer extends LoadBalancer {
  private final Helper helper;
  private final LoadBalancer.Factory factory;
  private @Nullable LoadBalancer balancer;
  private @Nullable ResolvedAddresses addresses;

  LazyBalancer(Helper helper, LoadBalancer.Factory factory) {
    this.helper = helper;
    this.factory = factory;
  }

  @Override
  public Status acceptResolvedAddresses(ResolvedAddresses resolved) {
    if (balancer != null) {
      return balancer.acceptResolvedAddresses(resolved);
    }
    if (addresses == null) {
      helper.updateBalancingState(IDLE, Pickers.connecting("endpoint: not needed so far"));
    }
    addresses = resolved;
    return Status.OK;
  }

  @Override
  public void handleNameResolutionError(Status error) {
    if (balancer != null) {
      balancer.handleNameResolutionError(error);
    }
  }

  @Override
  public void requestConnection() {
    if (balancer != null) {
      balancer.requestConnection();
    } else if (addresses != null) {
      balancer = factory.newLoadBalancer(helper);
      balancer.acceptResolvedAddresses(addresses);
    }
  }

  @Override
  public void shutdown() {
    addresses = null;
    if (balancer != null) {
      balancer.shutdown();
    }
  }
}
