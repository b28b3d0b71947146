// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import java.time.Duration;

/**
 * Answers a proxy that rejects one response after the other ever more slowly. The first NACKs in a
 * row cost nothing: a search, or a response whose resources are tried one by one, has a few of
 * them. After that each one doubles the wait, up to a minute. An ACK starts the count anew, and so
 * does a change of what the proxy is served.
 */
final class NackBackoff {
  /** NACKs in a row that are answered at once. */
  static final int FREE = 8;

  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(60);

  private int nacks;
  private boolean waiting;
  private long until;

  /** The proxy accepted a response, or is served something else. */
  void reset() {
    nacks = 0;
    waiting = false;
  }

  void onNack(long now) {
    nacks++;
    if (nacks > FREE) {
      int doublings = Math.min(nacks - FREE - 1, /* max= */ 10);
      waiting = true;
      until = now + Math.min(LONGEST.toNanos(), SHORTEST.toNanos() << doublings);
    }
  }

  boolean isWaiting() {
    return waiting;
  }

  /** Ends the wait if it is over; returns whether it has just ended. */
  boolean endIfOver(long now) {
    if (!waiting || now - until < 0) {
      return false;
    }
    waiting = false;
    return true;
  }
}
