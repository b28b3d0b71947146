// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import dev.holdfast.xds.client.Backoff;
import dev.holdfast.xds.client.BackoffPolicy;
import java.util.random.RandomGenerator;

/**
 * Keeps something that a server could provoke without end from happening ever faster. The first
 * time is free; each further one waits longer than the one before, counted from there. Whatever
 * comes later than the longest wait is a first time again.
 */
final class Damper {
  private final Backoff delays;
  private final long longestNanos;

  private boolean happened;
  private long lastNanos;

  Damper(BackoffPolicy policy, RandomGenerator random) {
    delays = new Backoff(policy, random);
    longestNanos = policy.max().toNanos();
  }

  /** When the next one may happen; to be asked once for each. */
  long notBefore(long nowNanos) {
    if (!happened || nowNanos - lastNanos >= longestNanos) {
      delays.reset();
      return nowNanos;
    }
    return Math.max(nowNanos, lastNanos + delays.next().toNanos());
  }

  void happenedAt(long nowNanos) {
    happened = true;
    lastNanos = nowNanos;
  }

  void reset() {
    happened = false;
    delays.reset();
  }
}
