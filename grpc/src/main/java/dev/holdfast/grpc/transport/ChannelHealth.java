// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import dev.holdfast.xds.client.transport.XdsTransport;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;

/**
 * Tells the engine when a channel is connected.
 *
 * <p>A channel that could not connect goes on trying by itself; when it succeeds the engine need
 * not wait for its own backoff to end. So an outage lasts no longer than the wait between two
 * connection attempts, however long the engine had decided to wait.
 *
 * <p>Failures are not reported here: a stream on a failing channel fails at once and says why (the
 * fail-fast variant of gRFC A57), while a channel may well be failing whose last stream still works
 * (the server asked for a new connection and drains the old one).
 *
 * <p>A channel that <em>had</em> a connection and lost it is left alone until the engine opens the
 * next stream: a server that drops connections as soon as it has accepted them would otherwise be
 * called again without any pause.
 */
final class ChannelHealth {
  private final ManagedChannel channel;
  private final XdsTransport.Listener listener;

  // One callback at a time, each registered by the one before.
  private boolean failing;

  ChannelHealth(ManagedChannel channel, XdsTransport.Listener listener) {
    this.channel = channel;
    this.listener = listener;
  }

  void watch() {
    ConnectivityState state = channel.getState(/* requestConnection= */ failing);
    switch (state) {
      case READY -> {
        failing = false;
        listener.onConnected();
      }
      case TRANSIENT_FAILURE -> failing = true;
      case IDLE, CONNECTING -> {}
      case SHUTDOWN -> {
        return;
      }
    }
    channel.notifyWhenStateChanged(state, this::watch);
  }
}
