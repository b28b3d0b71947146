// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.http;

import dev.holdfast.server.tls.OpenChannels;
import io.grpc.netty.shaded.io.netty.bootstrap.ServerBootstrap;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandler;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.ChannelInitializer;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.SocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpDecoderConfig;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpServerCodec;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A port that speaks HTTP/1.1. One thread reads and writes for all callers and waits for none: a
 * request that is sent byte by byte, or an answer that is not read, costs memory within limits, and
 * no thread. See {@link HttpConnection}.
 */
public final class HttpPort implements AutoCloseable {
  private static final int ONE_MORE_LOOK_MILLIS = 20;
  private static final int BACKLOG = 256;
  private static final int LONGEST_CHUNK = 8 << 10;

  private final EventLoopGroup thread;
  private final Channel listening;
  private final ConnectionTable table;

  private HttpPort(EventLoopGroup thread, Channel listening, ConnectionTable table) {
    this.thread = thread;
    this.listening = listening;
    this.table = table;
  }

  /**
   * Begins to listen.
   *
   * @throws IOException if it cannot
   */
  public static HttpPort open(
      String threadName, InetSocketAddress address, HttpLimits limits, HttpCall.Handler handler)
      throws IOException {
    return open(threadName, address, limits, /* tls= */ null, handler);
  }

  /**
   * Begins to listen.
   *
   * @param tls null without TLS
   * @throws IOException if it cannot
   */
  public static HttpPort open(
      String threadName,
      InetSocketAddress address,
      HttpLimits limits,
      @Nullable OpenChannels tls,
      HttpCall.Handler handler)
      throws IOException {
    EventLoopGroup thread =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory(threadName, /* daemon= */ true), NioIoHandler.newFactory());
    ConnectionTable table = new ConnectionTable(limits);
    ChannelFuture bound =
        new ServerBootstrap()
            .group(thread)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    HttpConnection connection = new HttpConnection(limits, table, handler);
                    if (tls != null) {
                      tls.add(channel);
                      channel
                          .pipeline()
                          .addLast(tls.tls().context().newHandler(channel.alloc()))
                          .addLast(handshakeWatch(tls));
                    }
                    channel
                        .pipeline()
                        .addLast(connection.firstBytes())
                        .addLast(new HttpServerCodec(decoder(limits)))
                        .addLast(connection);
                  }
                })
            .bind(address)
            .awaitUninterruptibly();
    if (bound.isSuccess()) {
      return new HttpPort(thread, bound.channel(), table);
    }
    close(thread);
    Throwable cause = bound.cause();
    throw cause instanceof IOException e ? e : new IOException(cause);
  }

  /** Stands behind the handshake in the pipeline, and sees it fail. */
  private static ChannelHandler handshakeWatch(OpenChannels tls) {
    return new ChannelInboundHandlerAdapter() {
      @Override
      public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake && !handshake.isSuccess()) {
          tls.refused().handshakeFailed(context.channel().remoteAddress(), handshake.cause());
        }
        context.fireUserEventTriggered(event);
      }
    };
  }

  private static HttpDecoderConfig decoder(HttpLimits limits) {
    return new HttpDecoderConfig()
        .setMaxInitialLineLength(limits.headerBytes())
        .setMaxHeaderSize(limits.headerBytes())
        .setMaxChunkSize(LONGEST_CHUNK);
  }

  /** Where it listens. */
  public int port() {
    return ((InetSocketAddress) listening.localAddress()).getPort();
  }

  /** How many callers are connected. */
  public int connections() {
    return table.count();
  }

  @Override
  public void close() {
    if (thread.isShuttingDown()) {
      return;
    }
    listening.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
    // The socket is really closed when its thread has looked once more. Without that, whoever
    // connects in this moment would wait for an answer that nobody gives.
    thread
        .schedule(table::dropAll, ONE_MORE_LOOK_MILLIS, TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(1, TimeUnit.SECONDS);
    close(thread);
  }

  private static void close(EventLoopGroup thread) {
    thread
        .shutdownGracefully(/* quietPeriod= */ 0, /* timeout= */ 1, TimeUnit.SECONDS)
        .awaitUninterruptibly(2, TimeUnit.SECONDS);
  }
}
