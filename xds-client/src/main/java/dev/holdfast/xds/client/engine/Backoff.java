// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import dev.holdfast.xds.client.BackoffPolicy;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** The delays of one series of attempts. */
final class Backoff {
  private final BackoffPolicy policy;
  private final RandomGenerator random;
  private double nextNanos;

  Backoff(BackoffPolicy policy, RandomGenerator random) {
    this.policy = policy;
    this.random = random;
    reset();
  }

  /** How long after the start of the previous attempt the next one may start. */
  Duration next() {
    double base = nextNanos;
    nextNanos = Math.min(base * policy.multiplier(), (double) policy.max().toNanos());
    double jitter = 1 + policy.jitter() * (2 * random.nextDouble() - 1);
    return Duration.ofNanos((long) (base * jitter));
  }

  void reset() {
    nextNanos = (double) policy.initial().toNanos();
  }
}
