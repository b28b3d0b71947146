// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance;

import static io.grpc.ConnectivityState.CONNECTING;

import dev.holdfast.grpc.balance.policy.Pickers;
import dev.holdfast.grpc.balance.policy.Policy;
import io.grpc.ConnectivityState;
import io.grpc.LoadBalancer.Helper;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.LoadBalancer.PickSubchannelArgs;
import io.grpc.LoadBalancer.SubchannelPicker;
import io.grpc.util.ForwardingLoadBalancerHelper;
import io.grpc.util.GracefulSwitchLoadBalancer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One cluster of a channel. It sleeps until calls are expected, or one comes: a cluster that is
 * only part of an aggregate one is used through that, and needs no connections of its own.
 */
final class ClusterChild extends ForwardingLoadBalancerHelper {
  private static final PickResult WAKING = Pickers.connectingResult("cluster: not connected yet");

  private final Helper helper;
  private final ClusterManager parent;

  // In the synchronization context.
  private @Nullable Policy policy;
  private @Nullable GracefulSwitchLoadBalancer balancer;
  private ConnectivityState state = CONNECTING;
  private boolean left;

  /** Null while asleep. Read with each call. */
  private volatile @Nullable SubchannelPicker picker;

  ClusterChild(Helper helper, ClusterManager parent) {
    this.helper = helper;
    this.parent = parent;
  }

  void update(Policy newPolicy) {
    policy = newPolicy;
    if (balancer != null) {
      balancer.acceptResolvedAddresses(newPolicy.over(List.of()));
    }
  }

  void wake() {
    if (balancer == null && policy != null && !left) {
      picker = Pickers.connecting("cluster: not connected yet");
      parent.woken(state);
      balancer = new GracefulSwitchLoadBalancer(this);
      balancer.acceptResolvedAddresses(policy.over(List.of()));
    }
  }

  void requestConnection() {
    if (balancer != null) {
      balancer.requestConnection();
    }
  }

  /** Is no longer part of the channel; goes on serving the calls that still find it. */
  void leave() {
    left = true;
    if (balancer != null) {
      parent.gone(state);
    }
  }

  void shutdown() {
    left = true;
    if (balancer != null) {
      balancer.shutdown();
    }
  }

  /** From any thread. */
  PickResult pick(PickSubchannelArgs args) {
    SubchannelPicker current = picker;
    if (current == null) {
      helper.getSynchronizationContext().execute(this::wake);
      return WAKING;
    }
    return current.pickSubchannel(args);
  }

  @Override
  protected Helper delegate() {
    return helper;
  }

  @Override
  public void updateBalancingState(ConnectivityState newState, SubchannelPicker newPicker) {
    if (!left) {
      ConnectivityState before = state;
      state = newState;
      picker = newPicker;
      parent.changed(before, newState);
    }
  }
}
