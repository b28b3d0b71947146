// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import dev.holdfast.xds.client.transport.AdsProtocol;
import dev.holdfast.xds.client.transport.XdsTransport;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A channel to one server. Called from the engine's loop. */
final class GrpcTransport implements XdsTransport {
  private final ServerChannels.Lease lease;
  private final Executor executor;
  private @Nullable GrpcStream stream;

  private GrpcTransport(ServerChannels.Lease lease, Executor executor) {
    this.lease = lease;
    this.executor = executor;
  }

  static GrpcTransport start(ServerChannels.Lease lease, Executor executor, Listener listener) {
    GrpcTransport transport = new GrpcTransport(lease, executor);
    new ChannelHealth(lease.channel(), listener).watch();
    return transport;
  }

  @Override
  public Stream open(AdsProtocol protocol, StreamListener listener) {
    GrpcStream opened =
        GrpcStream.start(lease.channel(), ServerMethods.of(protocol), executor, listener);
    stream = opened;
    return opened;
  }

  @Override
  public void resetBackoff() {
    lease.channel().resetConnectBackoff();
  }

  @Override
  public void close() {
    if (stream != null) {
      stream.cancel("the connection is being closed");
      stream = null;
    }
    lease.close();
  }
}
