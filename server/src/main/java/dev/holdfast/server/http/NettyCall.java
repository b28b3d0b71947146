// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.server.tls.CertificateNames;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.ChannelFutureListener;
import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultHttpContent;
import io.grpc.netty.shaded.io.netty.handler.codec.http.LastHttpContent;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** A call on one of our connections. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails ends the connection, which is noticed
record NettyCall(HttpConnection connection, Channel channel, Request request) implements HttpCall {
  @Override
  public Peer peer() {
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    InetSocketAddress address = (InetSocketAddress) channel.remoteAddress();
    return new Peer(
        address.getAddress().getHostAddress(),
        address.getAddress().isLoopbackAddress(),
        tls != null,
        tls == null ? List.of() : CertificateNames.of(tls.engine().getSession()).names());
  }

  @Override
  public void answer(HttpResponse answer) {
    onLoop(() -> connection.answer(answer));
  }

  @Override
  public Stream stream(String contentType, Map<String, String> headers) {
    HttpResponse begin = new HttpResponse(200, contentType, new byte[0], headers);
    onLoop(
        () -> {
          if (!connection.stream(begin)) {
            channel.close();
          }
        });
    return new NettyStream(channel);
  }

  private void onLoop(Runnable task) {
    try {
      channel.eventLoop().execute(task);
    } catch (RejectedExecutionException e) {
      // The port is closed, and so is the connection.
    }
  }

  private static final long LAST_BYTES_SECONDS = 5;

  private record NettyStream(Channel channel) implements Stream {
    @Override
    public void write(String text, Duration longest) throws IOException, InterruptedException {
      ChannelFuture written =
          channel.writeAndFlush(
              new DefaultHttpContent(Unpooled.wrappedBuffer(text.getBytes(UTF_8))));
      if (!written.await(longest.toNanos(), TimeUnit.NANOSECONDS)) {
        channel.close();
        throw new IOException("the caller does not read");
      }
      if (!written.isSuccess()) {
        throw new IOException("the caller is gone", written.cause());
      }
    }

    @Override
    public void onEnd(Runnable listener) {
      channel.closeFuture().addListener(done -> listener.run());
    }

    @Override
    public void close() {
      if (!channel.isOpen()) {
        return;
      }
      channel
          .writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
          .addListener(ChannelFutureListener.CLOSE);
      try { // the caller need not read even that
        channel.eventLoop().schedule(() -> channel.close(), LAST_BYTES_SECONDS, TimeUnit.SECONDS);
      } catch (RejectedExecutionException e) {
        // The port is closed, and so is the connection.
      }
    }
  }
}
