// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import java.net.SocketAddress;
import java.util.List;

/**
 * The session that a call is part of: where it is, and where the call went (gRFC A55, A61). All
 * attempts of a call share it. Thread-safe.
 */
public final class Session {
  private final List<SocketAddress> wanted;
  private volatile List<SocketAddress> served = List.of();

  /**
   * @param wanted the addresses of the endpoint where it is; empty for a new session
   */
  public Session(List<SocketAddress> wanted) {
    this.wanted = List.copyOf(wanted);
  }

  public List<SocketAddress> wanted() {
    return wanted;
  }

  /**
   * An attempt goes to an endpoint.
   *
   * @param addresses all that the endpoint has, the one in use first
   */
  public void goesTo(List<SocketAddress> addresses) {
    served = addresses;
  }

  /** The addresses of the endpoint that the latest attempt went to; empty if there was none. */
  public List<SocketAddress> served() {
    return served;
  }
}
