// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.xds;

import dev.holdfast.server.tls.PortTls;
import dev.holdfast.server.tls.RefusedClients;
import io.grpc.ServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.GrpcHttp2ConnectionHandler;
import io.grpc.netty.shaded.io.grpc.netty.InternalNettyServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.InternalProtocolNegotiator;
import io.grpc.netty.shaded.io.grpc.netty.InternalProtocolNegotiators;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandler;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslHandler;
import io.grpc.netty.shaded.io.netty.util.AsciiString;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * Secures each connection with the certificates that are in use when it begins. gRPC's public
 * interface takes one certificate for good, and tells nobody which client a failed handshake was
 * with, so this is a protocol negotiator, as gRPC's own modules have them.
 */
final class TlsConnections implements InternalProtocolNegotiator.ProtocolNegotiator {
  private static final AsciiString SCHEME = AsciiString.of("https");

  private final PortTls tls;
  private final RefusedClients refused;
  private final Set<Channel> open = ConcurrentHashMap.newKeySet();

  private TlsConnections(PortTls tls, RefusedClients refused) {
    this.tls = tls;
    this.refused = refused;
  }

  /** Credentials that only Netty understands. */
  static ServerCredentials create(PortTls tls, RefusedClients refused) {
    TlsConnections connections = new TlsConnections(tls, refused);
    tls.onChange(connections::recheck);
    return InternalNettyServerCredentials.create(connections);
  }

  @Override
  public AsciiString scheme() {
    return SCHEME;
  }

  @Override
  public ChannelHandler newHandler(GrpcHttp2ConnectionHandler grpc) {
    return new Watch(InternalProtocolNegotiators.serverTls(tls.context()).newHandler(grpc));
  }

  @Override
  public void close() {}

  /** Ends the connections of clients that would not be let in any more. */
  private void recheck() {
    for (Channel channel : open) {
      channel.eventLoop().execute(() -> recheck(channel));
    }
  }

  private void recheck(Channel channel) {
    SslHandler handler = channel.pipeline().get(SslHandler.class);
    if (handler == null || !tls.asksForCertificates()) {
      return;
    }
    Certificate[] chain;
    try {
      chain = handler.engine().getSession().getPeerCertificates();
    } catch (SSLPeerUnverifiedException e) {
      return; // the handshake is under way
    }
    GeneralSecurityException problem =
        tls.recheck(Arrays.copyOf(chain, chain.length, X509Certificate[].class));
    if (problem != null) {
      refused.disconnected(channel.remoteAddress(), problem);
      // From here on outwards: gRPC would wait for the end of the streams, which is never.
      Future<?> unused = channel.pipeline().context(handler).close();
    }
  }

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
      Future<?> unused =
          context.channel().closeFuture().addListener(closed -> open.remove(context.channel()));
      context.pipeline().addBefore(context.name(), /* name= */ null, handshake);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      if (!told) {
        told = true; // the same error comes from the handshake and from its reader
        refused.handshakeFailed(context.channel().remoteAddress(), cause);
      }
      context.fireExceptionCaught(cause);
    }
  }
}
