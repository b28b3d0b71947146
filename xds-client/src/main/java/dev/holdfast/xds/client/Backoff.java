// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** The delays of one series of attempts. */
public final class Backoff {
  private final BackoffPolicy policy;
  private final RandomGenerator random;
  private double nextNanos;

  public Backoff(BackoffPolicy policy, RandomGenerator random) {
    this.policy = policy;
    this.random = random;
    reset();
  }

  /** How long to wait before the next attempt. */
  public Duration next() {
    double base = nextNanos;
    nextNanos = Math.min(base * policy.multiplier(), (double) policy.max().toNanos());
    double jitter = 1 + policy.jitter() * (2 * random.nextDouble() - 1);
    return Duration.ofNanos((long) (base * jitter));
  }

  /** The next attempt is the first of a series again. */
  public void reset() {
    nextNanos = (double) policy.initial().toNanos();
  }
}
