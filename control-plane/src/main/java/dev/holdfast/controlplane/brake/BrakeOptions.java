// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.brake;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * When deletions wait for a confirmation: if more than this share of the served hosts, and more
 * than this many, would disappear.
 *
 * @param enabled whether deletions ever wait
 * @param percent the share of the served hosts that may disappear, from 0 to 100
 * @param hosts the number of hosts that may disappear
 * @param window deletions that follow one another within this time count together: a directory is
 *     emptied file by file
 */
public record BrakeOptions(boolean enabled, int percent, int hosts, Duration window) {
  private static final int DEFAULT_PERCENT = 50;
  private static final int DEFAULT_HOSTS = 10;
  private static final Duration DEFAULT_WINDOW = Duration.ofSeconds(30);

  public BrakeOptions {
    requireNonNull(window, "window");
    if (percent < 0 || percent > 100) {
      throw new IllegalArgumentException("percent: " + percent + " (expected: from 0 to 100)");
    }
    if (hosts < 0) {
      throw new IllegalArgumentException("hosts: " + hosts + " (expected: from 0)");
    }
  }

  /** More than half of the hosts, and more than ten. */
  public static BrakeOptions defaults() {
    return of(DEFAULT_PERCENT, DEFAULT_HOSTS);
  }

  public static BrakeOptions of(int percent, int hosts) {
    return new BrakeOptions(/* enabled= */ true, percent, hosts, DEFAULT_WINDOW);
  }

  /** Every deletion applies at once. */
  public static BrakeOptions off() {
    return new BrakeOptions(/* enabled= */ false, 100, 0, DEFAULT_WINDOW);
  }

  /** Whether so many lost hosts are too many. */
  boolean isTooMany(int lost, int served) {
    return enabled && lost > hosts && lost * 100L > (long) served * percent;
  }
}
