// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.kubernetes;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits, with an end. */
final class Patience {
  private static final long INTERVAL_NANOS = 20_000_000;

  private Patience() {}

  /** Until something is so, as long as the process lives that it depends on. */
  static void await(String what, Duration longest, Child of, BooleanSupplier condition) {
    long end = System.nanoTime() + longest.toNanos();
    while (!condition.getAsBoolean()) {
      of.requireAlive();
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException(
            "no %s within %d s: %s".formatted(what, longest.toSeconds(), of.logTail()));
      }
      pause(INTERVAL_NANOS);
    }
  }

  static void pause(long nanos) {
    LockSupport.parkNanos(nanos);
    if (Thread.currentThread().isInterrupted()) {
      throw new IllegalStateException("interrupted");
    }
  }
}
