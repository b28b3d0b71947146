// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.probe;

import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.ChannelFutureListener;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.SimpleChannelInboundHandler;
import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.grpc.netty.shaded.io.netty.handler.codec.http.FullHttpResponse;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpMethod;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpObject;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpRequest;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpResponseStatus;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpUtil;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpVersion;
import io.grpc.netty.shaded.io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Answers each request when it is over; bodies are dropped as they come. */
@SuppressWarnings("FutureReturnValueIgnored") // listeners close what cannot be written
final class SinkHandler extends SimpleChannelInboundHandler<HttpObject> {
  private static final String GRPC = "application/grpc";

  /** An empty message: of the external authorization's answers, OK. */
  private static final byte[] EMPTY_MESSAGE = {0, 0, 0, 0, 0};

  /** The field {@code overall_code} with {@code OK}. */
  private static final byte[] WITHIN_LIMIT = {0, 0, 0, 0, 2, 8, 1};

  private final String marker;
  private final AtomicLong requests;
  private final boolean isHttp2;
  private @Nullable HttpRequest request;

  SinkHandler(String marker, AtomicLong requests, boolean isHttp2) {
    this.marker = marker;
    this.requests = requests;
    this.isHttp2 = isHttp2;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
    if (part instanceof HttpRequest head) {
      request = head;
    }
    HttpRequest answered = request;
    if (answered == null) {
      return;
    }
    String type = answered.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
    boolean isGrpc = isHttp2 && type.startsWith(GRPC);
    // The client of a gRPC call may not end its side before it has heard something.
    if (part instanceof LastHttpContent || (isGrpc && part instanceof HttpRequest)) {
      request = null;
      requests.incrementAndGet();
      answer(context, answered, isGrpc);
    }
  }

  private void answer(ChannelHandlerContext context, HttpRequest asked, boolean isGrpc) {
    byte[] body =
        isGrpc
            ? (asked.uri().endsWith("/ShouldRateLimit") ? WITHIN_LIMIT : EMPTY_MESSAGE)
            : asked.method().equals(HttpMethod.HEAD)
                ? new byte[0]
                : "sink\n".getBytes(StandardCharsets.US_ASCII);
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.wrappedBuffer(body));
    response.headers().set(marker, "1");
    if (isGrpc) {
      response.headers().set(HttpHeaderNames.CONTENT_TYPE, GRPC);
      response.trailingHeaders().set("grpc-status", "0");
    } else {
      response
          .headers()
          .set(HttpHeaderNames.CONTENT_TYPE, "text/plain")
          .setInt(HttpHeaderNames.CONTENT_LENGTH, body.length);
    }
    boolean isLast = !isHttp2 && !HttpUtil.isKeepAlive(asked);
    context
        .writeAndFlush(response)
        .addListener(isLast ? ChannelFutureListener.CLOSE : ChannelFutureListener.CLOSE_ON_FAILURE);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    context.close();
  }
}
