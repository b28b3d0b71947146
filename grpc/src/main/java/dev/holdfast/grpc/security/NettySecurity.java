// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.security;

import io.grpc.ChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.GrpcHttp2ConnectionHandler;
import io.grpc.netty.shaded.io.grpc.netty.InternalNettyChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.InternalProtocolNegotiator;
import io.grpc.netty.shaded.io.grpc.netty.InternalProtocolNegotiators;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandler;
import io.grpc.netty.shaded.io.netty.util.AsciiString;

/**
 * Secures each connection by what the address says that it leads to, and as the fallback does where
 * the address says nothing. This is the one place where gRPC lets connections of one channel differ
 * in their security; it is the way that gRPC's own modules go.
 */
final class NettySecurity implements InternalProtocolNegotiator.ClientFactory {
  /** That of the requests of a channel, whose connections may be secured or not. */
  private static final AsciiString SCHEME = AsciiString.of("http");

  private final InternalProtocolNegotiator.ClientFactory fallback;

  private NettySecurity(InternalProtocolNegotiator.ClientFactory fallback) {
    this.fallback = fallback;
  }

  /** Credentials that only Netty understands. */
  static ChannelCredentials create(ChannelCredentials fallback) {
    return InternalNettyChannelCredentials.create(
        new NettySecurity(InternalNettyChannelCredentials.toNegotiator(fallback)));
  }

  @Override
  public InternalProtocolNegotiator.ProtocolNegotiator newNegotiator() {
    return new Negotiator(fallback.newNegotiator());
  }

  @Override
  public int getDefaultPort() {
    return fallback.getDefaultPort();
  }

  /** That of one channel. */
  private static final class Negotiator implements InternalProtocolNegotiator.ProtocolNegotiator {
    private final InternalProtocolNegotiator.ProtocolNegotiator fallback;
    private final SslContexts contexts = new SslContexts();

    Negotiator(InternalProtocolNegotiator.ProtocolNegotiator fallback) {
      this.fallback = fallback;
    }

    @Override
    public AsciiString scheme() {
      return SCHEME;
    }

    @Override
    public ChannelHandler newHandler(GrpcHttp2ConnectionHandler grpc) {
      EndpointTls tls = grpc.getEagAttributes().get(EndpointTls.KEY);
      return tls == null
          ? fallback.newHandler(grpc)
          : InternalProtocolNegotiators.waitUntilActiveHandler(
              new CertificateWait(tls, contexts, grpc), grpc.getNegotiationLogger());
    }

    @Override
    public void close() {
      fallback.close();
    }
  }
}
