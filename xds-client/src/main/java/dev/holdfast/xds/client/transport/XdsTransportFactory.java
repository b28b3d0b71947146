// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.transport;

import dev.holdfast.xds.client.ServerConfig;

/** Makes connections to xDS servers. */
@FunctionalInterface
public interface XdsTransportFactory {
  /**
   * A connection to one server. Called from the engine's loop; must not block. A server that cannot
   * be reached is not a reason to throw: the streams fail instead. An exception (credentials that
   * do not exist) is treated as a connectivity failure that is tried again with backoff.
   *
   * @param listener hears of the connection's health; any thread
   */
  XdsTransport create(ServerConfig server, XdsTransport.Listener listener);
}
