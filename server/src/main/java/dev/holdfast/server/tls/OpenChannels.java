// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.tls;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslHandler;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * The connections of a port with TLS. When its files change, those of clients end that would not be
 * let in any more. Thread-safe.
 */
public final class OpenChannels {
  private final PortTls tls;
  private final RefusedClients refused;
  private final Set<Channel> open = ConcurrentHashMap.newKeySet();

  private OpenChannels(PortTls tls, RefusedClients refused) {
    this.tls = tls;
    this.refused = refused;
  }

  /** Those of a port, none so far. */
  public static OpenChannels of(PortTls tls, RefusedClients refused) {
    OpenChannels channels = new OpenChannels(tls, refused);
    tls.onChange(channels::recheck);
    return channels;
  }

  /** What the next connection is made with. */
  public PortTls tls() {
    return tls;
  }

  public RefusedClients refused() {
    return refused;
  }

  /** A connection begins. */
  public void add(Channel channel) {
    open.add(channel);
    Future<?> unused = channel.closeFuture().addListener(closed -> open.remove(channel));
  }

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
}
