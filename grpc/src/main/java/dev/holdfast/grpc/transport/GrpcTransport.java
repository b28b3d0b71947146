// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import dev.holdfast.xds.client.transport.AdsProtocol;
import dev.holdfast.xds.client.transport.XdsTransport;
import io.grpc.ManagedChannel;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A channel to one server. Called from the engine's loop. */
final class GrpcTransport implements XdsTransport {
  private final ManagedChannel channel;
  private final ChannelSecurity.Opened security;
  private final Executor executor;
  private @Nullable GrpcStream stream;

  private GrpcTransport(
      ManagedChannel channel, ChannelSecurity.Opened security, Executor executor) {
    this.channel = channel;
    this.security = security;
    this.executor = executor;
  }

  static GrpcTransport start(
      ManagedChannel channel,
      ChannelSecurity.Opened security,
      Executor executor,
      Listener listener) {
    GrpcTransport transport = new GrpcTransport(channel, security, executor);
    new ChannelHealth(channel, listener).watch();
    return transport;
  }

  @Override
  public Stream open(AdsProtocol protocol, StreamListener listener) {
    GrpcStream opened = GrpcStream.start(channel, protocol, executor, listener);
    stream = opened;
    return opened;
  }

  @Override
  public void resetBackoff() {
    channel.resetConnectBackoff();
  }

  @Override
  public void close() {
    if (stream != null) {
      stream.cancel("the connection is being closed");
      stream = null;
    }
    channel.shutdownNow();
    security.close();
  }
}
