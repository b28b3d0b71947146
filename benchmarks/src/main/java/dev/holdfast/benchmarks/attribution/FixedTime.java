// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.attribution;

import dev.holdfast.base.TimeSource;
import java.time.Duration;
import java.time.Instant;

/** A clock that stands still: a search is to end by what it finds, not by how long it takes. */
final class FixedTime implements TimeSource {
  @Override
  public Instant now() {
    return Instant.EPOCH;
  }

  @Override
  public long nanoTime() {
    return 0;
  }

  @Override
  public Timer schedule(Duration delay, Runnable task) {
    return () -> {};
  }
}
