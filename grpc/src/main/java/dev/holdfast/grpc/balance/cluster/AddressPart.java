// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import static io.grpc.ConnectivityState.CONNECTING;
import static io.grpc.ConnectivityState.IDLE;
import static io.grpc.ConnectivityState.SHUTDOWN;

import io.grpc.Attributes;
import io.grpc.ConnectivityState;
import io.grpc.ConnectivityStateInfo;
import io.grpc.EquivalentAddressGroup;
import io.grpc.LoadBalancer.Subchannel;
import io.grpc.LoadBalancer.SubchannelStateListener;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One address of a {@link SplitSubchannel}. It has a subchannel from when it is its turn until it
 * is let go, and may have another one later.
 */
final class AddressPart {
  private final SplitSubchannel owner;
  private EquivalentAddressGroup address;
  private @Nullable Subchannel subchannel;
  private @Nullable Listener listener;
  private @Nullable ConnectivityStateInfo early;
  private ConnectivityState state = IDLE;

  AddressPart(EquivalentAddressGroup address, SplitSubchannel owner) {
    this.address = address;
    this.owner = owner;
  }

  /**
   * What calls use.
   *
   * @param attributes kept, since they are asked for with every call
   */
  record Live(Subchannel subchannel, Attributes attributes) {}

  ConnectivityState state() {
    return state;
  }

  void connect() {
    if (subchannel == null) {
      create();
    }
    if (subchannel != null) {
      subchannel.requestConnection();
    }
  }

  private void create() {
    Listener listening = new Listener();
    listener = listening;
    state = CONNECTING;
    Subchannel created = owner.create(address, listening);
    subchannel = created;
    // The listener of health hears the same, and what outlier detection makes of it.
    created.start(info -> {});
    ConnectivityStateInfo info = early;
    if (info != null) {
      early = null;
      listening.onSubchannelState(info);
    }
  }

  /** Takes other attributes for the same address. */
  void update(EquivalentAddressGroup newAddress) {
    address = newAddress;
    if (subchannel != null) {
      subchannel.updateAddresses(List.of(newAddress));
    }
  }

  @Nullable Live live() {
    return subchannel == null ? null : new Live(subchannel, subchannel.getAttributes());
  }

  /** Lets the subchannel go; it may be this one's turn again. */
  void reset() {
    shutdown();
    state = IDLE;
  }

  void shutdown() {
    if (subchannel != null) {
      Subchannel old = subchannel;
      subchannel = null;
      listener = null;
      old.shutdown();
    }
  }

  /** One for each subchannel there has been: those that were let go are not listened to. */
  private final class Listener implements SubchannelStateListener {
    @Override
    public void onSubchannelState(ConnectivityStateInfo info) {
      if (this != listener || info.getState() == SHUTDOWN) {
        return;
      }
      if (subchannel == null) {
        // An endpoint that is ejected says so before its subchannel is there.
        early = info;
        return;
      }
      state = info.getState();
      owner.partChanged(AddressPart.this, info);
    }
  }
}
