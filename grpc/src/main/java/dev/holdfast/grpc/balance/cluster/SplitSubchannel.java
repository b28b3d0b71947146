// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import static io.grpc.ConnectivityState.CONNECTING;
import static io.grpc.ConnectivityState.IDLE;
import static io.grpc.ConnectivityState.READY;
import static io.grpc.ConnectivityState.SHUTDOWN;
import static io.grpc.ConnectivityState.TRANSIENT_FAILURE;
import static io.grpc.LoadBalancer.HEALTH_CONSUMER_LISTENER_ARG_KEY;

import io.grpc.Attributes;
import io.grpc.ChannelLogger;
import io.grpc.ConnectivityState;
import io.grpc.ConnectivityStateInfo;
import io.grpc.EquivalentAddressGroup;
import io.grpc.LoadBalancer.CreateSubchannelArgs;
import io.grpc.LoadBalancer.Helper;
import io.grpc.LoadBalancer.Subchannel;
import io.grpc.LoadBalancer.SubchannelStateListener;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A subchannel that has one subchannel for each of its addresses.
 *
 * <p>Addresses are tried one after the other; the first that connects is the one, and the others
 * are let go. When it is lost, the search begins anew with the first address, as soon as somebody
 * asks for a connection. When all have failed, this has failed; each goes on trying, and the first
 * that connects is the one.
 */
final class SplitSubchannel extends Subchannel {
  private final Helper helper;
  private final CreateSubchannelArgs args;

  // In the synchronization context.
  private List<EquivalentAddressGroup> addresses;
  private Map<SocketAddress, AddressPart> parts = new LinkedHashMap<>();
  private ConnectivityState state = IDLE;
  private @Nullable SubchannelStateListener listener;
  private @Nullable AddressPart selected;

  /** What calls use: the last one that was selected. */
  private volatile AddressPart.@Nullable Live live;

  SplitSubchannel(Helper helper, CreateSubchannelArgs args) {
    this.helper = helper;
    this.args = args;
    addresses = args.getAddresses();
    split(addresses).forEach((address, group) -> parts.put(address, new AddressPart(group, this)));
  }

  /** A subchannel for one of the addresses. */
  Subchannel create(EquivalentAddressGroup address, SubchannelStateListener healthListener) {
    return helper.createSubchannel(
        args.toBuilder()
            .setAddresses(List.of(address))
            .addOption(HEALTH_CONSUMER_LISTENER_ARG_KEY, healthListener)
            .build());
  }

  private static Map<SocketAddress, EquivalentAddressGroup> split(
      List<EquivalentAddressGroup> groups) {
    Map<SocketAddress, EquivalentAddressGroup> single = new LinkedHashMap<>();
    for (EquivalentAddressGroup group : groups) {
      for (SocketAddress address : group.getAddresses()) {
        single.putIfAbsent(address, new EquivalentAddressGroup(address, group.getAttributes()));
      }
    }
    return single;
  }

  @Override
  public void start(SubchannelStateListener newListener) {
    listener = newListener;
  }

  @Override
  public void requestConnection() {
    if (state == IDLE) {
      report(ConnectivityStateInfo.forNonError(CONNECTING));
      connectNext();
    }
  }

  @Override
  public void shutdown() {
    state = SHUTDOWN;
    parts.values().forEach(AddressPart::shutdown);
  }

  @Override
  public void updateAddresses(List<EquivalentAddressGroup> newAddresses) {
    addresses = newAddresses;
    Map<SocketAddress, AddressPart> before = parts;
    parts = new LinkedHashMap<>();
    split(newAddresses)
        .forEach(
            (address, group) -> {
              AddressPart part = before.remove(address);
              if (part == null) {
                part = new AddressPart(group, this);
              } else {
                part.update(group);
              }
              parts.put(address, part);
            });
    before.values().forEach(AddressPart::shutdown);
    if (selected != null) {
      if (before.containsValue(selected)) {
        selected = null;
        report(ConnectivityStateInfo.forNonError(IDLE));
      } else {
        live = selected.live();
      }
    } else if (state == CONNECTING || state == TRANSIENT_FAILURE) {
      connectNext();
    }
  }

  /** Begins with the next address, unless one is being tried, or all have failed. */
  private void connectNext() {
    for (AddressPart part : parts.values()) {
      if (part.state() == CONNECTING) {
        return;
      }
    }
    for (AddressPart part : parts.values()) {
      if (part.state() == IDLE) {
        part.connect();
        return;
      }
    }
  }

  void partChanged(AddressPart part, ConnectivityStateInfo info) {
    switch (info.getState()) {
      case READY -> select(part);
      case IDLE -> {
        if (part == selected) {
          selected = null;
          report(info);
        } else {
          part.connect();
        }
      }
      case TRANSIENT_FAILURE -> {
        boolean lost = part == selected;
        if (lost) {
          selected = null;
        }
        connectNext();
        if (allFailed()) {
          report(info);
        } else if (lost) {
          report(ConnectivityStateInfo.forNonError(CONNECTING));
        }
      }
      case CONNECTING, SHUTDOWN -> {}
    }
  }

  private void select(AddressPart part) {
    selected = part;
    live = part.live();
    for (AddressPart other : new ArrayList<>(parts.values())) {
      if (other != part) {
        other.reset();
      }
    }
    report(ConnectivityStateInfo.forNonError(READY));
  }

  private boolean allFailed() {
    return parts.values().stream().allMatch(part -> part.state() == TRANSIENT_FAILURE);
  }

  private void report(ConnectivityStateInfo info) {
    state = info.getState();
    if (listener != null) {
      listener.onSubchannelState(info);
    }
  }

  @Override
  public List<EquivalentAddressGroup> getAllAddresses() {
    return addresses;
  }

  @Override
  public Attributes getAttributes() {
    AddressPart.Live used = live;
    return used == null ? args.getAttributes() : used.attributes();
  }

  @Override
  public @Nullable Attributes getConnectedAddressAttributes() {
    AddressPart.Live used = live;
    return used == null ? null : used.subchannel().getConnectedAddressAttributes();
  }

  @Override
  public Object getInternalSubchannel() {
    AddressPart.Live used = live;
    if (used == null) {
      throw new IllegalStateException("subchannel: never connected (expected: ready once)");
    }
    return used.subchannel().getInternalSubchannel();
  }

  @Override
  public ChannelLogger getChannelLogger() {
    return helper.getChannelLogger();
  }

  @Override
  public String toString() {
    return "SplitSubchannel" + addresses;
  }
}
