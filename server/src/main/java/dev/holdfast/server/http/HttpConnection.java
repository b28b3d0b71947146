// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.http;

import static java.util.Objects.requireNonNull;

import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandler;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.socket.ChannelInputShutdownEvent;
import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultHttpContent;
import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultHttpResponse;
import io.grpc.netty.shaded.io.netty.handler.codec.http.DefaultLastHttpContent;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpContent;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpHeaderNames;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpObject;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpRequest;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpResponseStatus;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpUtil;
import io.grpc.netty.shaded.io.netty.handler.codec.http.HttpVersion;
import io.grpc.netty.shaded.io.netty.handler.codec.http.LastHttpContent;
import io.grpc.netty.shaded.io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a caller, in one of these phases:
 *
 * <pre>
 * IDLE      --first byte-->          READING
 * READING   --end of the request-->  WORKING
 * READING   --no request-->          WRITING (an error; the connection then ends)
 * WORKING   --answer-->              WRITING
 * WORKING   --answer without end-->  STREAMING
 * WRITING   --all is written-->      IDLE
 * </pre>
 *
 * Each phase in which we wait for the caller has a limit, at which the connection ends. Nothing is
 * read while an answer is under way. Everything runs on the thread of all connections.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails ends the connection, which is noticed
final class HttpConnection extends ChannelInboundHandlerAdapter {
  /** Large answers go to the network in pieces of this size, as fast as the caller reads. */
  private static final int PIECE = 64 << 10;

  enum Phase {
    IDLE,
    READING,
    WORKING,
    WRITING,
    STREAMING;

    /** Whether we wait for the caller. Those that have a stream are counted elsewhere. */
    boolean isCallersTurn() {
      return this == IDLE || this == READING || this == WRITING;
    }
  }

  private final HttpLimits limits;
  private final ConnectionTable table;
  private final HttpCall.Handler handler;
  private @Nullable ChannelHandlerContext context;
  private Phase phase = Phase.IDLE;
  private long since;
  private @Nullable Future<?> timer;
  private @Nullable HttpRequest request;
  private long bodyBytes;
  private boolean isLast;
  private byte[] unsent = new byte[0];
  private int sent;
  private boolean isSending;
  private long accounted;

  HttpConnection(HttpLimits limits, ConnectionTable table, HttpCall.Handler handler) {
    this.limits = limits;
    this.table = table;
    this.handler = handler;
  }

  Phase phase() {
    return phase;
  }

  /** The turn in which the phase began. */
  long since() {
    return since;
  }

  /** Ends it whatever its phase is. */
  void drop() {
    forget();
    if (context != null) {
      context.close();
    }
  }

  private void forget() {
    stopTimer();
    table.closed(this);
    table.wrote(accounted);
    accounted = 0;
    unsent = new byte[0];
  }

  /** Notices that a request begins, before anybody knows what it is. */
  ChannelHandler firstBytes() {
    return new ChannelInboundHandlerAdapter() {
      @Override
      public void channelRead(ChannelHandlerContext ctx, Object bytes) {
        if (phase == Phase.IDLE) {
          enter(Phase.READING, limits.longestRead());
        }
        ctx.fireChannelRead(bytes);
      }
    };
  }

  private void enter(Phase next, @Nullable Duration longest) {
    phase = next;
    since = table.nextTurn();
    stopTimer();
    if (longest != null) {
      timer = context().executor().schedule(this::drop, longest.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private void stopTimer() {
    if (timer != null) {
      timer.cancel(/* mayInterruptIfRunning= */ false);
      timer = null;
    }
  }

  private ChannelHandlerContext context() {
    return requireNonNull(context, "context");
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    enter(Phase.IDLE, limits.longestIdle());
    table.opened(this);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    forget();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    try {
      if (phase == Phase.READING) {
        read((HttpObject) message);
      } else {
        isLast = true; // a caller that does not wait for its answer gets one, and no more
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  private void read(HttpObject part) {
    if (part.decoderResult().isFailure()) {
      refuse(HttpResponseStatus.BAD_REQUEST, "not an HTTP request, or one that is too large");
      return;
    }
    if (part instanceof HttpRequest head) {
      request = head;
      bodyBytes = 0;
      if (head.headers().size() > limits.headers()) {
        refuse(HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "too many headers");
        return;
      }
      if (!isSupported(head.protocolVersion())) {
        refuse(HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED, "expected: HTTP/1.1");
        return;
      }
      if (HttpUtil.is100ContinueExpected(head)) {
        context()
            .writeAndFlush(
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
      }
    }
    if (part instanceof HttpContent content) {
      bodyBytes += content.content().readableBytes();
      if (bodyBytes > limits.bodyBytes()) {
        refuse(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "the body is too large");
      } else if (part instanceof LastHttpContent && request != null) {
        isLast |= !HttpUtil.isKeepAlive(request);
        enter(Phase.WORKING, null);
        context().channel().config().setAutoRead(false);
        handler.handle(new NettyCall(this, context().channel(), request(request)));
      }
    }
  }

  private static boolean isSupported(HttpVersion version) {
    return version.equals(HttpVersion.HTTP_1_0) || version.equals(HttpVersion.HTTP_1_1);
  }

  private static Request request(HttpRequest head) {
    Map<String, List<String>> headers = new TreeMap<>();
    for (String name : head.headers().names()) {
      headers.put(name, head.headers().getAll(name));
    }
    return new Request(head.method().name(), head.uri(), head.protocolVersion().text(), headers);
  }

  private void refuse(HttpResponseStatus status, String why) {
    isLast = true;
    request = null;
    write(HttpResponse.text(status.code(), why + "\n"));
  }

  /** Writes the answer. */
  void answer(HttpResponse answer) {
    if (phase == Phase.WORKING && context().channel().isActive()) {
      write(answer);
    }
  }

  private void write(HttpResponse answer) {
    enter(Phase.WRITING, limits.longestWrite());
    byte[] body = answer.body();
    DefaultHttpResponse head = head(answer);
    if (answer.status() != HttpResponseStatus.NOT_MODIFIED.code()) {
      head.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.length);
    }
    boolean isHead = request != null && request.method().name().equals("HEAD");
    unsent = isHead ? new byte[0] : body;
    sent = 0;
    accounted = unsent.length;
    table.writes(this, accounted);
    context().write(head);
    if (unsent.length == 0) {
      finish(LastHttpContent.EMPTY_LAST_CONTENT);
    } else {
      sendMore();
    }
  }

  private DefaultHttpResponse head(HttpResponse answer) {
    DefaultHttpResponse head =
        new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(answer.status()));
    answer.headers().forEach(head.headers()::set);
    head.headers().set(HttpHeaderNames.CONTENT_TYPE, answer.contentType());
    if (isLast) {
      head.headers().set(HttpHeaderNames.CONNECTION, "close");
    } else if (request != null && request.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
      head.headers().set(HttpHeaderNames.CONNECTION, "keep-alive");
    }
    return head;
  }

  private void sendMore() {
    isSending = true; // what we write changes whether we can write, of which we are told
    while (sent < unsent.length && context().channel().isWritable()) {
      int length = Math.min(PIECE, unsent.length - sent);
      DefaultHttpContent piece =
          new DefaultHttpContent(Unpooled.wrappedBuffer(unsent, sent, length));
      sent += length;
      if (sent == unsent.length) {
        finish(new DefaultLastHttpContent(piece.content()));
      } else {
        context().writeAndFlush(piece);
      }
    }
    isSending = false;
  }

  private void finish(LastHttpContent last) {
    context().writeAndFlush(last).addListener((ChannelFuture done) -> written(done.isSuccess()));
  }

  private void written(boolean isSuccess) {
    table.wrote(accounted);
    accounted = 0;
    unsent = new byte[0];
    if (!isSuccess || isLast) {
      drop();
      return;
    }
    request = null;
    enter(Phase.IDLE, limits.longestIdle());
    context().channel().config().setAutoRead(true);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (phase == Phase.WRITING && !isSending) {
      sendMore();
    }
  }

  /** Begins an answer without end. False if it is too late for one. */
  boolean stream(HttpResponse begin) {
    if (phase != Phase.WORKING) {
      return false;
    }
    boolean isOld = request != null && request.protocolVersion().equals(HttpVersion.HTTP_1_0);
    isLast |= isOld;
    DefaultHttpResponse head = head(begin);
    HttpUtil.setTransferEncodingChunked(head, !isOld);
    enter(Phase.STREAMING, null);
    context().writeAndFlush(head);
    context().channel().config().setAutoRead(true); // to notice when the caller is gone
    return true;
  }

  /** The caller sends nothing more. It may still read, unless there is nothing to read. */
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      isLast = true;
      if (phase != Phase.WORKING && phase != Phase.WRITING) {
        drop();
      }
    }
  }

  /** The caller is gone, or what it sent is beyond the decoder. */
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    drop();
  }
}
