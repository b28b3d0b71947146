// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import static io.grpc.ConnectivityState.CONNECTING;
import static io.grpc.ConnectivityState.IDLE;
import static io.grpc.ConnectivityState.READY;
import static io.grpc.ConnectivityState.SHUTDOWN;

import io.grpc.ConnectivityState;
import io.grpc.LoadBalancer.Helper;
import io.grpc.LoadBalancer.SubchannelPicker;
import io.grpc.SynchronizationContext.ScheduledHandle;
import io.grpc.util.ForwardingLoadBalancerHelper;
import io.grpc.util.GracefulSwitchLoadBalancer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One priority: its balancer, what that reported last, and two timers. The failover timer runs
 * while the child may still be waited for: from its creation, and from when it begins to connect
 * after it has been ready or idle. The deletion timer runs while the child is out of use.
 */
final class PriorityChild {
  static final int FAILOVER_SECONDS = 10;
  static final int RETENTION_MINUTES = 15;

  private final Helper helper;
  private final String name;
  private final PriorityBalancer parent;
  private final GracefulSwitchLoadBalancer balancer;

  private PriorityConfig.@Nullable Child config;
  private ConnectivityState state = CONNECTING;
  private SubchannelPicker picker;
  private boolean usableSinceFailure;
  private @Nullable ScheduledHandle failover;
  private @Nullable ScheduledHandle deletion;

  PriorityChild(Helper helper, String name, PriorityBalancer parent) {
    this.helper = helper;
    this.name = name;
    this.parent = parent;
    picker = Pickers.connecting("priority " + name + ": not connected yet");
    balancer = new GracefulSwitchLoadBalancer(new ChildHelper());
    startFailover();
  }

  String name() {
    return name;
  }

  ConnectivityState state() {
    return state;
  }

  SubchannelPicker picker() {
    return picker;
  }

  boolean ready() {
    return state == READY;
  }

  boolean connecting() {
    return state == CONNECTING;
  }

  boolean usable() {
    return state == READY || state == IDLE;
  }

  boolean waitedFor() {
    return failover != null;
  }

  boolean active() {
    return deletion == null;
  }

  void update(PriorityConfig.Child wanted) {
    if (!wanted.equals(config)) {
      config = wanted;
      balancer.acceptResolvedAddresses(wanted.policy().over(wanted.addresses()));
    }
  }

  void requestConnection() {
    balancer.requestConnection();
  }

  void activate() {
    if (deletion != null) {
      stopDeletion();
      if (connecting() && usableSinceFailure && failover == null) {
        // It lost its connections while nobody needed them.
        startFailover();
      }
    }
  }

  void deactivate() {
    if (deletion == null) {
      deletion = schedule(() -> parent.expired(this), RETENTION_MINUTES, TimeUnit.MINUTES);
    }
  }

  void shutdown() {
    state = SHUTDOWN;
    stopFailover();
    stopDeletion();
    balancer.shutdown();
  }

  private void startFailover() {
    failover =
        schedule(
            () -> {
              failover = null;
              if (active()) {
                parent.changed();
              }
            },
            FAILOVER_SECONDS,
            TimeUnit.SECONDS);
  }

  private void stopFailover() {
    if (failover != null) {
      failover.cancel();
      failover = null;
    }
  }

  private void stopDeletion() {
    if (deletion != null) {
      deletion.cancel();
      deletion = null;
    }
  }

  private ScheduledHandle schedule(Runnable task, int delay, TimeUnit unit) {
    return helper
        .getSynchronizationContext()
        .schedule(task, delay, unit, helper.getScheduledExecutorService());
  }

  private void report(ConnectivityState newState, SubchannelPicker newPicker) {
    ConnectivityState before = state;
    if (before == SHUTDOWN) {
      return;
    }
    state = newState;
    picker = newPicker;
    if (newState != CONNECTING) {
      usableSinceFailure = usable();
      stopFailover();
    } else if (before != CONNECTING && usableSinceFailure && active()) {
      startFailover();
    }
    if (active()) {
      parent.changed();
    }
  }

  private final class ChildHelper extends ForwardingLoadBalancerHelper {
    @Override
    protected Helper delegate() {
      return helper;
    }

    @Override
    public void updateBalancingState(ConnectivityState newState, SubchannelPicker newPicker) {
      report(newState, newPicker);
    }
  }
}
