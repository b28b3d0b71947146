// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.kit;

import io.grpc.Attributes;
import io.grpc.Channel;
import io.grpc.ChannelLogger;
import io.grpc.ConnectivityState;
import io.grpc.ConnectivityStateInfo;
import io.grpc.EquivalentAddressGroup;
import io.grpc.LoadBalancer.CreateSubchannelArgs;
import io.grpc.LoadBalancer.Subchannel;
import io.grpc.LoadBalancer.SubchannelStateListener;
import io.grpc.Status;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection that is whatever a test says it is. */
public final class FakeSubchannel extends Subchannel {
  private final FakeChannel channel;
  private final CreateSubchannelArgs args;
  private List<EquivalentAddressGroup> addresses;
  private @Nullable SubchannelStateListener listener;
  private @Nullable Attributes connected;
  private final FakeCalls calls = new FakeCalls();
  private int requests;
  private int updates;
  private boolean shutDown;

  FakeSubchannel(FakeChannel channel, CreateSubchannelArgs args) {
    this.channel = channel;
    this.args = args;
    addresses = args.getAddresses();
  }

  /** The port of its first address. */
  public int port() {
    return ((InetSocketAddress) addresses.get(0).getAddresses().get(0)).getPort();
  }

  /** Calls that balancers make themselves. */
  public FakeCalls calls() {
    return calls;
  }

  @Override
  public Channel asChannel() {
    return calls;
  }

  public int requests() {
    return requests;
  }

  public int updates() {
    return updates;
  }

  public boolean isShutDown() {
    return shutDown;
  }

  public void connecting() {
    deliver(ConnectivityStateInfo.forNonError(ConnectivityState.CONNECTING));
  }

  public void idle() {
    deliver(ConnectivityStateInfo.forNonError(ConnectivityState.IDLE));
  }

  public void ready() {
    connected = addresses.get(0).getAttributes();
    deliver(ConnectivityStateInfo.forNonError(ConnectivityState.READY));
  }

  public void fail(String why) {
    deliver(ConnectivityStateInfo.forTransientFailure(Status.UNAVAILABLE.withDescription(why)));
  }

  private void deliver(ConnectivityStateInfo info) {
    SubchannelStateListener to = listener;
    if (to == null || shutDown) {
      throw new AssertionError("not started, or shut down: " + this);
    }
    channel.run(() -> to.onSubchannelState(info));
  }

  @Override
  public void start(SubchannelStateListener newListener) {
    listener = newListener;
  }

  @Override
  public void requestConnection() {
    requests++;
  }

  @Override
  public void shutdown() {
    shutDown = true;
  }

  @Override
  public void updateAddresses(List<EquivalentAddressGroup> newAddresses) {
    updates++;
    addresses = newAddresses;
  }

  @Override
  public List<EquivalentAddressGroup> getAllAddresses() {
    return new ArrayList<>(addresses);
  }

  @Override
  public Attributes getAttributes() {
    return args.getAttributes();
  }

  @Override
  @SuppressWarnings("NullAway") // null until connected, as that of a real one is
  public Attributes getConnectedAddressAttributes() {
    return connected;
  }

  @Override
  public Object getInternalSubchannel() {
    return this;
  }

  @Override
  public ChannelLogger getChannelLogger() {
    return channel.getChannelLogger();
  }

  @Override
  public String toString() {
    return "subchannel" + addresses;
  }
}
