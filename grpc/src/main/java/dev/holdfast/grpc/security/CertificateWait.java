// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.security;

import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.GrpcHttp2ConnectionHandler;
import io.grpc.netty.shaded.io.grpc.netty.InternalProtocolNegotiators;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.util.ReferenceCountUtil;
import java.security.GeneralSecurityException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The first to speak on a connection: holds it back until the certificates are there, and makes
 * room for the handshake then. Without certificates, the connection fails with the reason.
 */
final class CertificateWait extends ChannelInboundHandlerAdapter {
  private final EndpointTls tls;
  private final SslContexts contexts;
  private final GrpcHttp2ConnectionHandler grpc;
  private final Deque<Object> received = new ArrayDeque<>();
  private boolean begun;

  CertificateWait(EndpointTls tls, SslContexts contexts, GrpcHttp2ConnectionHandler grpc) {
    this.tls = tls;
    this.contexts = contexts;
    this.grpc = grpc;
  }

  /** The event says that it is this handler's turn, and has to be passed on to the next one. */
  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (begun) {
      context.fireUserEventTriggered(event);
      return;
    }
    begun = true;
    CompletableFuture<?> unused =
        tls.cluster()
            .material()
            .whenComplete(
                (material, failure) -> {
                  if (context.executor().inEventLoop()) {
                    proceed(context, event, material, failure);
                  } else {
                    context.executor().execute(() -> proceed(context, event, material, failure));
                  }
                });
  }

  /** A server that speaks before it is spoken to is for the next handler to judge. */
  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    received.add(message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    // What was read is held back.
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    received.forEach(ReferenceCountUtil::release);
    received.clear();
  }

  private void proceed(
      ChannelHandlerContext context,
      Object event,
      @Nullable TlsMaterial material,
      @Nullable Throwable failure) {
    if (context.isRemoved()) {
      return; // the connection is gone
    }
    if (material == null) {
      fail(context, failure == null ? new IllegalStateException("no certificates") : failure);
      return;
    }
    try {
      SslContexts.Context secured = contexts.of(tls, material);
      context
          .pipeline()
          .addAfter(
              context.name(),
              null,
              InternalProtocolNegotiators.tls(secured.ssl(), null, secured.verifier())
                  .newHandler(grpc));
    } catch (GeneralSecurityException | SSLException | RuntimeException e) {
      fail(context, e);
      return;
    }
    context.fireUserEventTriggered(event);
    while (!received.isEmpty()) {
      context.fireChannelRead(received.remove());
    }
    context.fireChannelReadComplete();
    context.pipeline().remove(this);
  }

  private static void fail(ChannelHandlerContext context, Throwable why) {
    context.fireExceptionCaught(
        Status.UNAVAILABLE
            .withDescription("no TLS connection: " + describe(why))
            .asRuntimeException());
  }

  /** The outermost text that is about certificates: it names the provider. */
  private static String describe(Throwable why) {
    return why.getCause() != null && !(why instanceof GeneralSecurityException)
        ? describe(why.getCause())
        : String.valueOf(why.getMessage());
  }
}
