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
  private Map<SocketAddress, Part> parts = new LinkedHashMap<>();
  private ConnectivityState state = IDLE;
  private @Nullable SubchannelStateListener listener;
  private @Nullable Part selected;

  /** What calls use: the last one that was selected. */
  private volatile @Nullable Live live;

  /** The attributes are kept since they are asked for with every call. */
  private record Live(Subchannel subchannel, Attributes attributes) {}

  SplitSubchannel(Helper helper, CreateSubchannelArgs args) {
    this.helper = helper;
    this.args = args;
    addresses = args.getAddresses();
    split(addresses).forEach((address, group) -> parts.put(address, new Part(group)));
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
    parts.values().forEach(Part::shutdown);
  }

  @Override
  public void updateAddresses(List<EquivalentAddressGroup> newAddresses) {
    addresses = newAddresses;
    Map<SocketAddress, Part> before = parts;
    parts = new LinkedHashMap<>();
    split(newAddresses)
        .forEach(
            (address, group) -> {
              Part part = before.remove(address);
              if (part == null) {
                part = new Part(group);
              } else {
                part.update(group);
              }
              parts.put(address, part);
            });
    before.values().forEach(Part::shutdown);
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
    for (Part part : parts.values()) {
      if (part.state == CONNECTING) {
        return;
      }
    }
    for (Part part : parts.values()) {
      if (part.state == IDLE) {
        part.connect();
        return;
      }
    }
  }

  private void partChanged(Part part, ConnectivityStateInfo info) {
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

  private void select(Part part) {
    selected = part;
    live = part.live();
    for (Part other : new ArrayList<>(parts.values())) {
      if (other != part) {
        other.reset();
      }
    }
    report(ConnectivityStateInfo.forNonError(READY));
  }

  private boolean allFailed() {
    return parts.values().stream().allMatch(part -> part.state == TRANSIENT_FAILURE);
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
    Live used = live;
    return used == null ? args.getAttributes() : used.attributes;
  }

  @Override
  public @Nullable Attributes getConnectedAddressAttributes() {
    Live used = live;
    return used == null ? null : used.subchannel.getConnectedAddressAttributes();
  }

  @Override
  public Object getInternalSubchannel() {
    Live used = live;
    if (used == null) {
      throw new IllegalStateException("subchannel: never connected (expected: ready once)");
    }
    return used.subchannel.getInternalSubchannel();
  }

  @Override
  public ChannelLogger getChannelLogger() {
    return helper.getChannelLogger();
  }

  @Override
  public String toString() {
    return "SplitSubchannel" + addresses;
  }

  /** One address. Idle until it is its turn. */
  private final class Part {
    private EquivalentAddressGroup group;
    private @Nullable Subchannel subchannel;
    private @Nullable SubchannelStateListener current;
    private @Nullable ConnectivityStateInfo early;
    private ConnectivityState state = IDLE;

    Part(EquivalentAddressGroup group) {
      this.group = group;
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
      SubchannelStateListener listening = new PartListener(this);
      current = listening;
      state = CONNECTING;
      Subchannel created =
          helper.createSubchannel(
              args.toBuilder()
                  .setAddresses(List.of(group))
                  .addOption(HEALTH_CONSUMER_LISTENER_ARG_KEY, listening)
                  .build());
      subchannel = created;
      // The listener of health hears the same, and what outlier detection makes of it.
      created.start(info -> {});
      ConnectivityStateInfo info = early;
      if (info != null) {
        early = null;
        changed(listening, info);
      }
    }

    void changed(SubchannelStateListener by, ConnectivityStateInfo info) {
      if (by != current || info.getState() == SHUTDOWN) {
        return;
      }
      if (subchannel == null) {
        // An endpoint that is ejected says so before its subchannel is there.
        early = info;
        return;
      }
      state = info.getState();
      partChanged(this, info);
    }

    void update(EquivalentAddressGroup newGroup) {
      group = newGroup;
      if (subchannel != null) {
        subchannel.updateAddresses(List.of(newGroup));
      }
    }

    /** What calls use while this is selected. */
    @Nullable Live live() {
      return subchannel == null ? null : new Live(subchannel, subchannel.getAttributes());
    }

    void reset() {
      shutdown();
      state = IDLE;
    }

    void shutdown() {
      if (subchannel != null) {
        Subchannel old = subchannel;
        subchannel = null;
        current = null;
        old.shutdown();
      }
    }
  }

  /** One for each subchannel that a part has had: those that were let go are not listened to. */
  private static final class PartListener implements SubchannelStateListener {
    private final Part part;

    PartListener(Part part) {
      this.part = part;
    }

    @Override
    public void onSubchannelState(ConnectivityStateInfo info) {
      part.changed(this, info);
    }
  }
}
