// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.probe;

import io.grpc.netty.shaded.io.netty.bootstrap.ServerBootstrap;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.ChannelInitializer;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.group.ChannelGroup;
import io.grpc.netty.shaded.io.netty.channel.group.DefaultChannelGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.SocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.grpc.netty.shaded.io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where the requests of proxies that serve nobody end. It answers everything with 200 and a header
 * that nobody else knows, over HTTP/1.1 and HTTP/2 without TLS, and calls for authorization and
 * rate limits with a yes.
 *
 * <p>One thread, and a bound on everything that a peer can make it hold: connections, and the time
 * and bytes of each.
 */
public final class Sink implements AutoCloseable {
  private static final int MOST_CONNECTIONS = 1_024;

  private final EventLoopGroup thread;
  private final Channel listening;
  private final ChannelGroup connections;
  private final String marker;
  private final AtomicLong requests;

  private Sink(
      EventLoopGroup thread,
      Channel listening,
      ChannelGroup connections,
      String marker,
      AtomicLong requests) {
    this.thread = thread;
    this.listening = listening;
    this.connections = connections;
    this.marker = marker;
    this.requests = requests;
  }

  /**
   * Begins to listen on a free port of loopback.
   *
   * @throws IOException if it cannot
   */
  public static Sink open() throws IOException {
    String marker = "x-holdfast-sink-" + HexFormat.of().toHexDigits(new SecureRandom().nextLong());
    AtomicLong requests = new AtomicLong();
    EventLoopGroup thread =
        new MultiThreadIoEventLoopGroup(
            1,
            new DefaultThreadFactory("holdfast-sink", /* daemon= */ true),
            NioIoHandler.newFactory());
    ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    ChannelFuture bound =
        new ServerBootstrap()
            .group(thread)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    if (connections.size() >= MOST_CONNECTIONS) {
                      channel.unsafe().closeForcibly(); // nobody waits for its end
                      return;
                    }
                    connections.add(channel);
                    SinkPipeline.install(channel, marker, requests);
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      close(thread);
      throw new IOException(bound.cause());
    }
    return new Sink(thread, bound.channel(), connections, marker, requests);
  }

  /** Where it listens. */
  public int port() {
    return ((InetSocketAddress) listening.localAddress()).getPort();
  }

  /** The name of the header that tells its answers. */
  public String marker() {
    return marker;
  }

  /** How many requests it has answered. */
  public long requests() {
    return requests.get();
  }

  @Override
  public void close() {
    listening.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
    connections.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
    close(thread);
  }

  private static void close(EventLoopGroup thread) {
    thread
        .shutdownGracefully(/* quietPeriod= */ 0, /* timeout= */ 1, TimeUnit.SECONDS)
        .awaitUninterruptibly(2, TimeUnit.SECONDS);
  }
}
