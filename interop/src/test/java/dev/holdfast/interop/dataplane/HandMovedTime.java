// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import dev.holdfast.base.TimeSource;
import dev.holdfast.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;

/** Time that stands still until it is told to move, among threads that do not. */
final class HandMovedTime implements TimeSource {
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
    return () -> cancel(timer);
  }

  private synchronized void cancel(Timer timer) {
    timer.cancel();
  }

  synchronized void advance(Duration by) {
    time.advance(by);
  }

  /** Whether something is due in exactly that time. */
  synchronized boolean waits(Duration delay) {
    return time.pending().contains(delay);
  }
}
