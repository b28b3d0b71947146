// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client;

import java.time.Duration;

/**
 * Exponential backoff: the first delay, by how much each further one grows, the longest, and how
 * much each is varied by chance (0.2 for plus or minus 20 %).
 */
public record BackoffPolicy(Duration initial, double multiplier, Duration max, double jitter) {
  public BackoffPolicy {
    if (initial.isNegative() || initial.isZero() || max.compareTo(initial) < 0) {
      throw new IllegalArgumentException(
          "initial, max: " + initial + ", " + max + " (expected: 0 < initial <= max)");
    }
    if (!(multiplier >= 1) || !(jitter >= 0 && jitter < 1)) {
      throw new IllegalArgumentException(
          "multiplier, jitter: "
              + multiplier
              + ", "
              + jitter
              + " (expected: multiplier >= 1, 0 <= jitter < 1)");
    }
  }

  /** What gRPC uses for connections: 1 s, x 1.6, at most 2 min, +-20 %. */
  public static BackoffPolicy defaults() {
    return new BackoffPolicy(Duration.ofSeconds(1), 1.6, Duration.ofMinutes(2), 0.2);
  }
}
