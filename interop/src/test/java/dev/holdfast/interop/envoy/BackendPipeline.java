// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import dev.holdfast.testkit.TestCa;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInitializer;
import io.grpc.netty.shaded.io.netty.channel.ChannelPipeline;
import io.grpc.netty.shaded.io.netty.handler.codec.ByteToMessageDecoder;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpObjectAggregator;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpServerCodec;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolConfig;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolNames;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Finds out which protocol a connection speaks, and has its requests answered. */
final class BackendPipeline {
  private static final int MAX_BODY_BYTES = 1 << 20;

  private BackendPipeline() {}

  static SslContext tls(TestCa ca, TestCa.Identity identity, String... versions) {
    try {
      return SslContextBuilder.forServer(
              stream(identity.certificatePem()), stream(identity.privateKeyPem()))
          .sslProvider(SslProvider.JDK)
          .trustManager(stream(ca.certificatePem()))
          .clientAuth(ClientAuth.OPTIONAL)
          .protocols(versions.length == 0 ? null : versions)
          .applicationProtocolConfig(
              new ApplicationProtocolConfig(
                  Protocol.ALPN,
                  SelectorFailureBehavior.NO_ADVERTISE,
                  SelectedListenerFailureBehavior.ACCEPT,
                  ApplicationProtocolNames.HTTP_2,
                  ApplicationProtocolNames.HTTP_1_1))
          .build();
    } catch (SSLException e) {
      throw new IllegalStateException("cannot set up TLS", e);
    }
  }

  static void install(Channel channel, @Nullable SslContext tls, Backend backend) {
    if (tls == null) {
      channel.pipeline().addLast(new Preface(backend));
      return;
    }
    channel.pipeline().addLast(tls.newHandler(channel.alloc()));
    channel
        .pipeline()
        .addLast(
            new ApplicationProtocolNegotiationHandler(ApplicationProtocolNames.HTTP_1_1) {
              @Override
              protected void configurePipeline(ChannelHandlerContext ctx, String protocol) {
                if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
                  http2(ctx.pipeline(), backend);
                } else {
                  http1(ctx.pipeline(), backend);
                }
              }
            });
  }

  private static void http1(ChannelPipeline pipeline, Backend backend) {
    pipeline
        .addLast(new HttpServerCodec())
        .addLast(new HttpObjectAggregator(MAX_BODY_BYTES))
        .addLast(new BackendHandler(backend, "HTTP/1.1"));
  }

  private static void http2(ChannelPipeline pipeline, Backend backend) {
    pipeline
        .addLast(Http2FrameCodecBuilder.forServer().build())
        .addLast(
            new Http2MultiplexHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel stream) {
                    stream
                        .pipeline()
                        .addLast(new Http2StreamFrameToHttpObjectCodec(/* isServer= */ true))
                        .addLast(new HttpObjectAggregator(MAX_BODY_BYTES))
                        .addLast(new BackendHandler(backend, "HTTP/2.0"));
                  }
                }));
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** HTTP/2 without TLS begins with {@code PRI}, which is no method of HTTP/1.1. */
  private static final class Preface extends ByteToMessageDecoder {
    private static final String HTTP2 = "PRI";
    private final Backend backend;

    Preface(Backend backend) {
      this.backend = backend;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
      if (in.readableBytes() < HTTP2.length()) {
        return;
      }
      String start = in.toString(in.readerIndex(), HTTP2.length(), StandardCharsets.US_ASCII);
      if (start.equals(HTTP2)) {
        http2(ctx.pipeline(), backend);
      } else {
        http1(ctx.pipeline(), backend);
      }
      ctx.pipeline().remove(this);
    }
  }
}
