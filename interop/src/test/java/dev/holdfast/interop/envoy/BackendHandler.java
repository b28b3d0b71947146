// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelFutureListener;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.SimpleChannelInboundHandler;
import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.grpc.netty.shaded.io.netty.handler.codec.http.FullHttpRequest;
import io.grpc.netty.shaded.io.netty.handler.codec.http.FullHttpResponse;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpResponseStatus;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpUtil;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpVersion;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Error;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.HttpConversionUtil;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslHandler;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Answers the requests of one connection, or of one stream of HTTP/2. */
final class BackendHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
  private static final String STREAM =
      HttpConversionUtil.ExtensionHeaderNames.STREAM_ID.text().toString();

  private final Backend backend;
  private final String protocol;

  BackendHandler(Backend backend, String protocol) {
    this.backend = backend;
    this.protocol = protocol;
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // a peer that is gone needs no answer
  protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
    boolean keepAlive = protocol.equals("HTTP/2.0") || HttpUtil.isKeepAlive(request);
    Echo echo = echo(ctx.channel(), request);
    Answer answer = backend.handle(echo);
    switch (answer.instead()) {
      case CLOSE -> {
        ctx.close();
        return;
      }
      case REFUSE -> {
        ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM));
        return;
      }
      case NOTHING -> {}
    }
    FullHttpResponse response = response(echo, answer);
    Runnable send =
        () -> {
          var sent = ctx.writeAndFlush(response);
          if (!keepAlive) {
            sent.addListener(ChannelFutureListener.CLOSE);
          }
        };
    if (answer.delay().isZero()) {
      send.run();
    } else {
      ctx.executor().schedule(send, answer.delay().toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private FullHttpResponse response(Echo echo, Answer answer) {
    String text = answer.body() == null ? echo.json() : answer.body();
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(answer.status()),
            Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
    response
        .headers()
        .set(
            HttpHeaderNames.CONTENT_TYPE, answer.body() == null ? "application/json" : "text/plain")
        .set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes())
        .set("x-backend", backend.name());
    answer.headers().forEach((name, value) -> response.headers().add(name, value));
    return response;
  }

  private Echo echo(Channel channel, FullHttpRequest request) {
    Map<String, List<String>> headers = new TreeMap<>();
    request
        .headers()
        .forEach(
            header -> {
              if (!header.getKey().equalsIgnoreCase(STREAM)) {
                headers
                    .computeIfAbsent(
                        header.getKey().toLowerCase(Locale.ROOT), n -> new ArrayList<>())
                    .add(header.getValue());
              }
            });
    SSLSession session = session(channel);
    return new Echo(
        backend.name(),
        protocol,
        request.method().name(),
        request.uri(),
        headers,
        request.content().toString(StandardCharsets.UTF_8),
        session == null ? "" : sni(session),
        session == null ? "" : client(session));
  }

  private static @Nullable SSLSession session(Channel channel) {
    Channel connection = channel.parent();
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    if (tls == null && connection != null) {
      tls = connection.pipeline().get(SslHandler.class);
    }
    return tls == null ? null : tls.engine().getSession();
  }

  private static String sni(SSLSession session) {
    List<SNIServerName> names = ((ExtendedSSLSession) session).getRequestedServerNames();
    return names.isEmpty()
        ? ""
        : ((SNIHostName) Objects.requireNonNull(names.get(0))).getAsciiName();
  }

  private static String client(SSLSession session) {
    try {
      return ((X509Certificate) session.getPeerCertificates()[0])
          .getSubjectX500Principal()
          .getName();
    } catch (SSLPeerUnverifiedException e) {
      return "";
    }
  }
}
