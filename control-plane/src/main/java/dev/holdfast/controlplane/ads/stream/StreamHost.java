// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.controlplane.ads.proxy.ProxyNode;
import dev.holdfast.controlplane.ads.wire.Refusal;
import org.jspecify.annotations.Nullable;

/** The server of the streams. Called on the loop. */
public interface StreamHost {
  /** A stream named its node. */
  Proxy join(AdsStream stream, ProxyNode node, boolean isNewProcess);

  /** A stream that had joined ended. */
  void leave(AdsStream stream, Proxy proxy);

  /**
   * A stream subscribes to more names, or fewer.
   *
   * @param ofStream all names of the stream
   * @return why the stream has to end; null if it need not
   */
  @Nullable Refusal countNames(int ofStream, int more);

  /** Ends a stream because of a limit. */
  void refuse(AdsStream stream, Refusal refusal);

  /** Schedules a check of timeouts: a response is in flight or a proxy is reconnecting. */
  void watchTimeouts();

  /** A request had a type that its stream does not carry. */
  void countUnknownType();

  /** Whether the server has stopped; no responses are sent any more. */
  boolean isClosed();
}
