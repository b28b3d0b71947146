// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit;

import dev.holdfast.base.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Like {@link ManualTime}, for a test that moves time while other threads use it. */
public final class SharedTime implements TimeSource {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final ManualTime time = new ManualTime();

  @Override
  public synchronized Instant now() {
    return time.now();
  }

  @Override
  public synchronized long nanoTime() {
    return time.nanoTime();
  }

  @Override
  public synchronized Timer schedule(Duration delay, Runnable task) {
    Timer timer = time.schedule(delay, task);
    notifyAll();
    return () -> cancel(timer);
  }

  private synchronized void cancel(Timer timer) {
    timer.cancel();
  }

  /** Returns when so many timers are pending: what is tested waits. */
  public synchronized void awaitTimers(int count) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (time.pending().size() < count) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        throw new AssertionError("timers: " + time.pending() + " (expected: " + count + ")");
      }
      wait(left);
    }
  }

  /** Whether a timer is due in exactly that time. */
  public synchronized boolean hasTimer(Duration delay) {
    return time.pending().contains(delay);
  }

  public synchronized void advance(Duration by) {
    time.advance(by);
  }
}
