// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.xds;

import dev.holdfast.controlplane.ads.wire.ConnectionThread;
import dev.holdfast.controlplane.ads.wire.DiscoveryServices;
import dev.holdfast.server.tls.CertificateNames;
import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.ServerTransportFilter;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.IoHandlerFactory;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.WriteBufferWaterMark;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.grpc.netty.shaded.io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The threads that the connections of proxies are read and written on. They are our own, so that
 * responses can be {@linkplain DiscoveryServices#CONNECTION_THREAD handed} to the right one.
 */
public final class ConnectionThreads extends ServerTransportFilter implements AutoCloseable {
  /**
   * Up to here, a response is handed to the network at once instead of in pieces of 64 KiB. Its
   * bytes are in memory either way; more than one per stream and type is never under way.
   */
  private static final WriteBufferWaterMark AS_A_WHOLE =
      new WriteBufferWaterMark(/* low= */ 256 << 10, /* high= */ 1 << 20);

  private final EventLoopGroup group;
  private final List<Writer> writers = new ArrayList<>();

  /** One per core: they never wait for anything but the network. */
  public ConnectionThreads() {
    IoHandlerFactory io =
        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    group =
        new MultiThreadIoEventLoopGroup(
            Runtime.getRuntime().availableProcessors(),
            new DefaultThreadFactory("holdfast-xds", /* daemon= */ true),
            io);
    for (EventExecutor thread : group) {
      writers.add(new Writer(thread, new ConnectionThread(thread)));
    }
  }

  /** Has a server use them. */
  public NettyServerBuilder serve(NettyServerBuilder builder) {
    return builder
        .channelType(
            Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
        .bossEventLoopGroup(group)
        .workerEventLoopGroup(group)
        .withChildOption(ChannelOption.WRITE_BUFFER_WATER_MARK, AS_A_WHOLE)
        .addTransportFilter(this);
  }

  /** A transport is announced on the thread of its connection. */
  @Override
  public Attributes transportReady(Attributes attributes) {
    Attributes.Builder known =
        attributes.toBuilder()
            .set(
                DiscoveryServices.CLIENT_NAMES,
                CertificateNames.of(attributes.get(Grpc.TRANSPORT_ATTR_SSL_SESSION)));
    for (Writer writer : writers) {
      if (writer.thread.inEventLoop()) {
        known.set(DiscoveryServices.CONNECTION_THREAD, writer.turns);
      }
    }
    return known.build();
  }

  /** What is under way on them is done before this returns, so that nobody is called afterwards. */
  @Override
  public void close() {
    group
        .shutdownGracefully(/* quietPeriod= */ 0, /* timeout= */ 1, TimeUnit.SECONDS)
        .awaitUninterruptibly(2, TimeUnit.SECONDS);
  }

  private record Writer(EventExecutor thread, ConnectionThread turns) {}
}
