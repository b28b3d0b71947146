// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import static io.grpc.ConnectivityState.CONNECTING;
import static io.grpc.ConnectivityState.IDLE;
import static io.grpc.ConnectivityState.READY;
import static io.grpc.ConnectivityState.TRANSIENT_FAILURE;
import static io.grpc.LoadBalancer.HEALTH_CONSUMER_LISTENER_ARG_KEY;

import io.grpc.ConnectivityState;
import io.grpc.ConnectivityStateInfo;
import io.grpc.EquivalentAddressGroup;
import io.grpc.LoadBalancer.CreateSubchannelArgs;
import io.grpc.LoadBalancer.Subchannel;
import io.grpc.LoadBalancer.SubchannelStateListener;
import io.grpc.util.ForwardingSubchannel;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A subchannel that sessions can use: its state is known to pickers, and it may outlive the policy
 * that created it.
 */
final class HostSubchannel extends ForwardingSubchannel {
  private final SessionBalancer balancer;

  // In the synchronization context.
  private List<SocketAddress> addresses;
  private @Nullable Subchannel subchannel;
  private @Nullable SubchannelStateListener listener;

  // Read with calls.
  private volatile ConnectivityState state = IDLE;
  private volatile @Nullable ConnectivityState health;

  HostSubchannel(SessionBalancer balancer, List<SocketAddress> addresses) {
    this.balancer = balancer;
    this.addresses = addresses;
  }

  static List<SocketAddress> addresses(List<EquivalentAddressGroup> groups) {
    List<SocketAddress> all = new ArrayList<>();
    groups.forEach(group -> all.addAll(group.getAddresses()));
    return List.copyOf(all);
  }

  void connectTo(Subchannel created) {
    subchannel = created;
  }

  List<SocketAddress> addresses() {
    return addresses;
  }

  /** The same arguments, with each address marked, and with news of health passing by here. */
  CreateSubchannelArgs observed(CreateSubchannelArgs args) {
    CreateSubchannelArgs.Builder observed =
        args.toBuilder().setAddresses(EndpointAttributes.marked(args.getAddresses()));
    SubchannelStateListener healthListener = args.getOption(HEALTH_CONSUMER_LISTENER_ARG_KEY);
    if (healthListener != null) {
      observed.addOption(
          HEALTH_CONSUMER_LISTENER_ARG_KEY,
          info -> {
            health = info.getState();
            healthListener.onSubchannelState(info);
            balancer.changed(this);
          });
    }
    return observed.build();
  }

  @Override
  protected Subchannel delegate() {
    return Objects.requireNonNull(subchannel, "not created yet");
  }

  @Override
  public void start(SubchannelStateListener newListener) {
    listener = newListener;
    delegate().start(this::stateChanged);
  }

  /** One that has failed is not waited for while it tries again: its sessions move. */
  private void stateChanged(ConnectivityStateInfo info) {
    if (state != TRANSIENT_FAILURE || info.getState() != CONNECTING) {
      state = info.getState();
    }
    if (listener != null) {
      listener.onSubchannelState(info);
    }
    balancer.changed(this);
  }

  @Override
  public void updateAddresses(List<EquivalentAddressGroup> groups) {
    List<SocketAddress> before = addresses;
    addresses = addresses(groups);
    balancer.servesNoMore(this, before);
    balancer.serves(this, addresses);
    delegate().updateAddresses(EndpointAttributes.marked(groups));
  }

  /** The policy that created it needs it no more. */
  @Override
  public void shutdown() {
    if (balancer.takesOver(this)) {
      listener = null;
    } else {
      close();
    }
  }

  void close() {
    delegate().shutdown();
  }

  void connectIfIdle() {
    if (state == IDLE) {
      requestConnection();
    }
  }

  /** What calls can expect of it: one that is ejected has failed. */
  ConnectivityState usability() {
    ConnectivityState now = state;
    ConnectivityState healthy = health;
    return now == READY && healthy != null && healthy != READY ? TRANSIENT_FAILURE : now;
  }

  boolean ready() {
    return usability() == READY;
  }
}
