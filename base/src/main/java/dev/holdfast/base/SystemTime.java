// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The machine's own time. One daemon thread serves all timers of the process; it ends when there
 * has been none for a while, and another one takes its place when there is.
 */
public final class SystemTime implements TimeSource {
  private static final Duration IDLE = Duration.ofSeconds(1);
  private static final SystemTime INSTANCE = new SystemTime();

  private final ScheduledThreadPoolExecutor scheduler;

  private SystemTime() {
    scheduler =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "holdfast-timer");
              thread.setDaemon(true);
              return thread;
            });
    scheduler.setRemoveOnCancelPolicy(true);
    scheduler.setKeepAliveTime(IDLE.toMillis(), TimeUnit.MILLISECONDS);
    scheduler.allowCoreThreadTimeOut(true);
  }

  /** The one instance. */
  public static SystemTime instance() {
    return INSTANCE;
  }

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Timer schedule(Duration delay, Runnable task) {
    Future<?> scheduled = scheduler.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    return () -> scheduled.cancel(/* mayInterruptIfRunning= */ false);
  }
}
