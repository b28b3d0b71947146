// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.relay;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A stream of Envoy's, and the one to the control plane that it is passed on to. */
final class RelayedStream extends ServerCall.Listener<byte[]> {
  private final Relay relay;
  private final int number;
  private final boolean delta;
  private final ServerCall<byte[], byte[]> envoy;
  private final ManagedChannel channel;
  private final ClientCall<byte[], byte[]> server;
  private boolean ended; // guarded by the relay, as all that is done to either call

  /**
   * @param port where the control plane is; a connection for each stream, for one that finds nobody
   *     would make the next one wait
   */
  RelayedStream(
      Relay relay, int number, boolean delta, ServerCall<byte[], byte[]> envoy, int port) {
    this.relay = relay;
    this.number = number;
    this.delta = delta;
    this.envoy = envoy;
    channel =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .usePlaintext()
            .build();
    server = channel.newCall(envoy.getMethodDescriptor(), CallOptions.DEFAULT);
  }

  void start() {
    server.start(new FromServer(), new Metadata());
    server.request(1);
    envoy.request(1);
  }

  @Override
  public void onMessage(byte[] bytes) {
    synchronized (relay) {
      if (!ended) {
        relay.pass(Message.fromEnvoy(number, delta, bytes), () -> server.sendMessage(bytes));
        envoy.request(1);
      }
    }
  }

  @Override
  public void onHalfClose() {
    end(Status.OK);
  }

  @Override
  public void onCancel() {
    end(Status.CANCELLED);
  }

  /** Ends both, each of which may have ended already. */
  void end(Status status) {
    synchronized (relay) {
      if (!ended) {
        ended = true;
        relay.ended(this);
        if (!envoy.isCancelled()) {
          envoy.close(status, new Metadata());
        }
        channel.shutdownNow();
      }
    }
  }

  /** What the control plane says. */
  private final class FromServer extends ClientCall.Listener<byte[]> {
    @Override
    public void onHeaders(Metadata headers) {
      synchronized (relay) {
        if (!ended) {
          envoy.sendHeaders(new Metadata());
        }
      }
    }

    @Override
    public void onMessage(byte[] bytes) {
      synchronized (relay) {
        if (!ended) {
          relay.pass(Message.fromServer(number, delta, bytes), () -> envoy.sendMessage(bytes));
          server.request(1);
        }
      }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      end(status);
    }
  }
}
