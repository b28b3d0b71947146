// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.controlplane.ads.proxy.ProxyNode;
import dev.holdfast.controlplane.ads.reconnect.HeldClaim;
import dev.holdfast.controlplane.ads.wire.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The server of the streams. Called on the loop. */
public interface StreamHost {
  /**
   * A stream named its node.
   *
   * @param node as the proxy names itself
   */
  Proxy join(AdsStream stream, ProxyNode node, HeldClaim claim);

  /**
   * The process at the end of a stream holds nothing: it has just started, and rejected nothing.
   */
  void startedAnew(AdsStream stream, Proxy proxy);

  /** A stream that had joined sent another request: the process at its end lives. */
  void heard(AdsStream stream, Proxy proxy);

  /** All connected proxies with the node id of this one, and itself. */
  List<Proxy> sharing(Proxy proxy);

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
