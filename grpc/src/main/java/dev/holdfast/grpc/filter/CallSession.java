// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.filter;

import dev.holdfast.grpc.config.Session;
import io.grpc.Metadata;
import java.net.SocketAddress;
import java.util.List;

/** The session of one call, as its cookie says, and the cookie that it is answered with. */
public final class CallSession {
  private static final Metadata.Key<String> SET_COOKIE =
      Metadata.Key.of("set-cookie", Metadata.ASCII_STRING_MARSHALLER);

  private final SessionFilter filter;
  private final Session session;
  private final String addresses;
  private final String cluster;

  CallSession(SessionFilter filter, Session session, String addresses, String cluster) {
    this.filter = filter;
    this.session = session;
    this.addresses = addresses;
    this.cluster = cluster;
  }

  /** For the balancers. */
  public Session session() {
    return session;
  }

  /** The cluster where the session is; empty if the cookie does not say. */
  public String cluster() {
    return cluster;
  }

  /** Adds the cookie to a response, if the session is now somewhere else. */
  public void addCookie(String usedCluster, Metadata response) {
    List<SocketAddress> served = session.served();
    if (served.isEmpty()) {
      return; // the call went nowhere
    }
    String text = SessionAddresses.format(served);
    if (!text.equals(addresses) || !usedCluster.equals(cluster)) {
      response.put(SET_COOKIE, filter.setCookie(text, usedCluster));
    }
  }
}
