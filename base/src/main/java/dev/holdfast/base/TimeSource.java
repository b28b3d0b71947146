// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base;

import java.time.Duration;
import java.time.Instant;

/**
 * The only place time comes from. Production uses {@link SystemTime}; tests a clock that is moved
 * by hand.
 */
public interface TimeSource {
  /** The time of day, for people: timestamps in dumps and logs. */
  Instant now();

  /** A monotonic reading in nanoseconds, for measuring how long something took. */
  long nanoTime();

  /** Runs {@code task} once after {@code delay}, on a thread of the time source's choice. */
  Timer schedule(Duration delay, Runnable task);

  /** A task that was scheduled. */
  interface Timer {
    /** Keeps the task from running if it has not started; harmless otherwise. */
    void cancel();
  }
}
