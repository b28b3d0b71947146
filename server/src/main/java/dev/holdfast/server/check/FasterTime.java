// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.check;

import dev.holdfast.base.TimeSource;
import java.time.Duration;
import java.time.Instant;

/**
 * The time of a control plane that serves nobody: what it waits for so that running proxies are not
 * disturbed takes a part of the time. The time of day is the real one.
 */
final class FasterTime implements TimeSource {
  private final TimeSource real;
  private final double factor;
  private final long began;

  /**
   * @param factor how many times faster than the real one
   */
  FasterTime(TimeSource real, double factor) {
    this.real = real;
    this.factor = factor;
    this.began = real.nanoTime();
  }

  @Override
  public Instant now() {
    return real.now();
  }

  @Override
  public long nanoTime() {
    return began + (long) ((real.nanoTime() - began) * factor);
  }

  @Override
  public Timer schedule(Duration delay, Runnable task) {
    // Rounded up: a task that looks at the clock must not come before its time.
    return real.schedule(Duration.ofNanos((long) Math.ceil(delay.toNanos() / factor) + 1), task);
  }
}
