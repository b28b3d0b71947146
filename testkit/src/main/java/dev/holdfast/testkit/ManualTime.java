// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit;

import dev.holdfast.base.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Time that stands still until it is told to move. Due timers run on the thread that moves it, in
 * the order of their due times and, where these are equal, of their scheduling. Single-threaded.
 */
public final class ManualTime implements TimeSource {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final PriorityQueue<Scheduled> timers =
      new PriorityQueue<>(
          Comparator.comparingLong((Scheduled t) -> t.due).thenComparingLong(t -> t.sequence));
  private long nanos;
  private long sequence;

  @Override
  public Instant now() {
    return START.plusNanos(nanos);
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  @Override
  public Timer schedule(Duration delay, Runnable task) {
    Scheduled timer = new Scheduled(nanos + Math.max(0, delay.toNanos()), sequence++, task);
    timers.add(timer);
    return () -> timers.remove(timer);
  }

  /** Moves time forward, running what becomes due on the way, each at its own time. */
  public void advance(Duration by) {
    advance(by, () -> {});
  }

  /** Like {@link #advance(Duration)}; {@code afterEach} runs after each timer and at the end. */
  public void advance(Duration by, Runnable afterEach) {
    long until = nanos + by.toNanos();
    for (Scheduled next = timers.peek(); next != null && next.due <= until; next = timers.peek()) {
      timers.remove(next);
      nanos = next.due;
      next.task.run();
      afterEach.run();
    }
    nanos = until;
    afterEach.run();
  }

  /** How long until the next pending timer; null if there is none. */
  public @Nullable Duration untilNext() {
    Scheduled next = timers.peek();
    return next == null ? null : Duration.ofNanos(next.due - nanos);
  }

  /** How long until each pending timer, soonest first. */
  public List<Duration> pending() {
    List<Duration> delays = new ArrayList<>();
    timers.forEach(timer -> delays.add(Duration.ofNanos(timer.due - nanos)));
    delays.sort(Comparator.naturalOrder());
    return delays;
  }

  private static final class Scheduled {
    final long due;
    final long sequence;
    final Runnable task;

    Scheduled(long due, long sequence, Runnable task) {
      this.due = due;
      this.sequence = sequence;
      this.task = task;
    }
  }
}
