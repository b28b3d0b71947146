// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.xds;

import dev.holdfast.server.tls.OpenChannels;
import dev.holdfast.server.tls.PortTls;
import dev.holdfast.server.tls.RefusedClients;
import io.grpc.ServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.GrpcHttp2ConnectionHandler;
import io.grpc.netty.shaded.io.grpc.netty.InternalNettyServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.InternalProtocolNegotiator;
import io.grpc.netty.shaded.io.grpc.netty.InternalProtocolNegotiators;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandler;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.util.AsciiString;

/**
 * Secures each connection with the certificates that are in use when it begins. gRPC's public
 * interface takes one certificate for good, and tells nobody which client a failed handshake was
 * with, so this is a protocol negotiator, as gRPC's own modules have them.
 */
final class TlsConnections implements InternalProtocolNegotiator.ProtocolNegotiator {
  private static final AsciiString SCHEME = AsciiString.of("https");

  private final OpenChannels open;

  private TlsConnections(OpenChannels open) {
    this.open = open;
  }

  /** Credentials that only Netty understands. */
  static ServerCredentials create(PortTls tls, RefusedClients refused) {
    return InternalNettyServerCredentials.create(new TlsConnections(OpenChannels.of(tls, refused)));
  }

  @Override
  public AsciiString scheme() {
    return SCHEME;
  }

  @Override
  public ChannelHandler newHandler(GrpcHttp2ConnectionHandler grpc) {
    return new Watch(InternalProtocolNegotiators.serverTls(open.tls().context()).newHandler(grpc));
  }

  @Override
  public void close() {}

  /** Stands behind the handshake in the pipeline, and sees it fail. */
  private final class Watch extends ChannelInboundHandlerAdapter {
    private final ChannelHandler handshake;
    private boolean told;

    Watch(ChannelHandler handshake) {
      this.handshake = handshake;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      open.add(context.channel());
      context.pipeline().addBefore(context.name(), /* name= */ null, handshake);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      if (!told) {
        told = true; // the same error comes from the handshake and from its reader
        open.refused().handshakeFailed(context.channel().remoteAddress(), cause);
      }
      context.fireExceptionCaught(cause);
    }
  }
}
