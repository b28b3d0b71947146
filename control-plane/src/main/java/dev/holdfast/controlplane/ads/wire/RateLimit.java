// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import java.time.Duration;

/** A token bucket. */
final class RateLimit {
  private static final double SECOND = Duration.ofSeconds(1).toNanos();

  private final double perSecond;
  private final double most;
  private double tokens;
  private long last;

  /**
   * @param burst how many seconds' worth may come at once
   * @param now on the clock of {@code TimeSource.nanoTime}
   */
  RateLimit(int perSecond, int burst, long now) {
    this.perSecond = perSecond;
    this.most = (double) perSecond * burst;
    this.tokens = most;
    this.last = now;
  }

  /** Whether one more may come now. */
  boolean take(long now) {
    refill(now);
    if (tokens < 1) {
      return false;
    }
    tokens--;
    return true;
  }

  boolean isFull(long now) {
    refill(now);
    return tokens >= most;
  }

  private void refill(long now) {
    tokens = Math.min(most, tokens + (now - last) / SECOND * perSecond);
    last = now;
  }
}
