// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import dev.holdfast.testkit.Recorder;
import dev.holdfast.testkit.TestCa;
import io.grpc.netty.shaded.io.netty.bootstrap.ServerBootstrap;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelInitializer;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.group.ChannelGroup;
import io.grpc.netty.shaded.io.netty.channel.group.DefaultChannelGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.grpc.netty.shaded.io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A server, usually on a loopback port, that answers every request with that request, as JSON, and
 * with its own name in {@code x-backend}. Speaks HTTP/1.1 and HTTP/2 (without TLS: by prior
 * knowledge) and remembers what it was asked.
 */
public final class Backend implements AutoCloseable {
  private static final EventLoopGroup THREADS =
      new MultiThreadIoEventLoopGroup(
          2, new DefaultThreadFactory("backend", /* daemon= */ true), NioIoHandler.newFactory());

  private static final long PATIENCE_MILLIS = 60_000;

  private final String name;
  private final Recorder<Echo> requests = new Recorder<>("request to a backend");
  private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final Channel server;
  private volatile Function<Echo, Answer> answer = echo -> Answer.OK;

  private Backend(String name, @Nullable SslContext tls, InetAddress address) {
    this.name = name;
    server =
        new ServerBootstrap()
            .group(THREADS)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channels.add(channel);
                    BackendPipeline.install(channel, tls, Backend.this);
                  }
                })
            .bind(new InetSocketAddress(address, 0))
            .syncUninterruptibly()
            .channel();
  }

  /** Without TLS. */
  public static Backend start(String name) {
    return new Backend(name, null, InetAddress.getLoopbackAddress());
  }

  /** Without TLS, on another address of this machine. */
  public static Backend startAt(InetAddress address, String name) {
    return new Backend(name, null, address);
  }

  /** With TLS; clients of {@code ca} may show who they are. */
  public static Backend startTls(String name, TestCa ca) {
    return new Backend(
        name, BackendPipeline.tls(ca, ca.issue(name)), InetAddress.getLoopbackAddress());
  }

  /** The same, with these TLS versions only. */
  public static Backend startTls(String name, TestCa ca, String... versions) {
    return new Backend(
        name, BackendPipeline.tls(ca, ca.issue(name), versions), InetAddress.getLoopbackAddress());
  }

  public String name() {
    return name;
  }

  public int port() {
    return ((InetSocketAddress) server.localAddress()).getPort();
  }

  /** From now on answers all requests like this. */
  public Backend answer(Answer always) {
    return answer(echo -> always);
  }

  /** From now on answers as the request deserves. */
  public Backend answer(Function<Echo, Answer> each) {
    answer = each;
    return this;
  }

  /** What it was asked so far. */
  public List<Echo> requests() {
    return requests.all();
  }

  /** The next request that was not looked at yet, waiting for it if need be. */
  public Echo awaitRequest() {
    return requests.next();
  }

  public int count() {
    return requests.all().size();
  }

  Answer handle(Echo echo) {
    requests.add(echo);
    return answer.apply(echo);
  }

  /** Goes away at once: connections break, new ones are refused. */
  @Override
  public void close() {
    if (!server.close().awaitUninterruptibly(PATIENCE_MILLIS)
        || !channels.close().awaitUninterruptibly(PATIENCE_MILLIS)) {
      throw new AssertionError("backend " + name + " did not close");
    }
  }
}
