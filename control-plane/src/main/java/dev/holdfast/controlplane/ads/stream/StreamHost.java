// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.controlplane.ads.proxy.ProxyNode;

/** The server of the streams. Called on the loop. */
public interface StreamHost {
  /** A stream named its node. */
  Proxy join(AdsStream stream, ProxyNode node);

  /** A stream that had joined ended. */
  void leave(AdsStream stream, Proxy proxy);

  /** Schedules a check of timeouts: a response is in flight or a proxy is reconnecting. */
  void watchTimeouts();

  /** A request had a type that its stream does not carry. */
  void countUnknownType();

  /** Whether the server has stopped; no responses are sent any more. */
  boolean isClosed();
}
