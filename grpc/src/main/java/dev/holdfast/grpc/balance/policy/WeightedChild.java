// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import static io.grpc.ConnectivityState.CONNECTING;
import static io.grpc.ConnectivityState.IDLE;
import static io.grpc.ConnectivityState.SHUTDOWN;

import io.grpc.ConnectivityState;
import io.grpc.LoadBalancer.Helper;
import io.grpc.LoadBalancer.SubchannelPicker;
import io.grpc.util.ForwardingLoadBalancerHelper;
import io.grpc.util.GracefulSwitchLoadBalancer;
import org.jspecify.annotations.Nullable;

/** One child of a {@link WeightedBalancer}, and what it reported last. */
final class WeightedChild extends ForwardingLoadBalancerHelper {
  private final Helper helper;
  private final Runnable changed;
  private final GracefulSwitchLoadBalancer balancer = new GracefulSwitchLoadBalancer(this);

  private WeightedConfig.@Nullable Target config;
  private ConnectivityState state = CONNECTING;
  private SubchannelPicker picker;

  WeightedChild(Helper helper, String name, Runnable changed) {
    this.helper = helper;
    this.changed = changed;
    picker = Pickers.connecting("locality " + name + ": not connected yet");
  }

  ConnectivityState state() {
    return state;
  }

  SubchannelPicker picker() {
    return picker;
  }

  long weight() {
    return config == null ? 0 : config.weight();
  }

  /** Takes the new weight; passes on the rest if any of it is new. */
  void update(WeightedConfig.Target target) {
    WeightedConfig.Target before = config;
    config = target;
    if (before == null
        || !before.policy().equals(target.policy())
        || !before.addresses().equals(target.addresses())) {
      balancer.acceptResolvedAddresses(target.policy().over(target.addresses()));
    }
  }

  void requestConnection() {
    balancer.requestConnection();
  }

  void shutdown() {
    state = SHUTDOWN;
    balancer.shutdown();
  }

  @Override
  protected Helper delegate() {
    return helper;
  }

  @Override
  public void updateBalancingState(ConnectivityState newState, SubchannelPicker newPicker) {
    if (state == SHUTDOWN) {
      return;
    }
    state = newState;
    picker = newPicker;
    changed.run();
    if (newState == IDLE) {
      // Not from within its own report.
      getSynchronizationContext()
          .execute(
              () -> {
                if (state == IDLE) {
                  requestConnection();
                }
              });
    }
  }
}
