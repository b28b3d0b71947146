// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.probe;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInitializer;
import io.grpc.netty.shaded.io.netty.channel.ChannelPipeline;
import io.grpc.netty.shaded.io.netty.handler.codec.ByteToMessageDecoder;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpServerCodec;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Settings;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.grpc.netty.shaded.io.netty.handler.timeout.ReadTimeoutHandler;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The protocols of a connection to the sink, told apart by its first bytes. */
@SuppressWarnings("FutureReturnValueIgnored") // nobody waits for the end of a connection
final class SinkPipeline extends ByteToMessageDecoder {
  private static final String HTTP2 = "PRI";
  private static final int IDLE_SECONDS = 60;
  private static final int STREAMS = 100;

  private final String marker;
  private final AtomicLong requests;

  private SinkPipeline(String marker, AtomicLong requests) {
    this.marker = marker;
    this.requests = requests;
  }

  static void install(Channel channel, String marker, AtomicLong requests) {
    channel
        .pipeline()
        .addLast(new ReadTimeoutHandler(IDLE_SECONDS, TimeUnit.SECONDS))
        .addLast(new SinkPipeline(marker, requests));
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (in.readableBytes() < HTTP2.length()) {
      return;
    }
    String start = in.toString(in.readerIndex(), HTTP2.length(), StandardCharsets.US_ASCII);
    ChannelPipeline pipeline = context.pipeline();
    if (start.equals(HTTP2)) {
      http2(pipeline);
    } else {
      pipeline
          .addLast(new HttpServerCodec())
          .addLast(new SinkHandler(marker, requests, /* isHttp2= */ false));
    }
    pipeline.remove(this);
  }

  private void http2(ChannelPipeline pipeline) {
    pipeline
        .addLast(
            Http2FrameCodecBuilder.forServer()
                .initialSettings(Http2Settings.defaultSettings().maxConcurrentStreams(STREAMS))
                .build())
        .addLast(
            new Http2MultiplexHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel stream) {
                    stream
                        .pipeline()
                        .addLast(new Http2StreamFrameToHttpObjectCodec(/* isServer= */ true))
                        .addLast(new SinkHandler(marker, requests, /* isHttp2= */ true));
                  }
                }));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    context.close();
  }
}
