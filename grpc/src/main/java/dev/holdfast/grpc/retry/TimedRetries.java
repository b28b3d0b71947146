// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.retry;

import dev.holdfast.xds.resources.route.RetryPolicy;
import io.grpc.Deadline;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes the retries of routes with a per-try timeout, for one channel: its time and its chance. */
public final class TimedRetries {
  private final Supplier<ScheduledExecutorService> scheduler;
  private final Deadline.Ticker ticker;
  private final DoubleSupplier random;

  /**
   * @param scheduler asked for when a timer is needed; it is not given long work
   */
  public TimedRetries(Supplier<ScheduledExecutorService> scheduler) {
    this(scheduler, Deadline.getSystemTicker(), () -> ThreadLocalRandom.current().nextDouble());
  }

  /**
   * @param random from 0, inclusive, to 1, exclusive
   */
  TimedRetries(
      Supplier<ScheduledExecutorService> scheduler, Deadline.Ticker ticker, DoubleSupplier random) {
    this.scheduler = scheduler;
    this.ticker = ticker;
    this.random = random;
  }

  /**
   * The retries of one route.
   *
   * @param policy with a per-try timeout
   * @param timeout of the call as a whole; zero for none
   */
  public RouteRetries route(RetryPolicy policy, Duration timeout) {
    return new RouteRetries(this, policy, timeout);
  }

  /** Runs a task later; null if the channel is done for and does not run tasks any more. */
  @Nullable ScheduledFuture<?> schedule(Runnable task, long nanos) {
    try {
      return scheduler.get().schedule(task, nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      return null;
    }
  }

  Deadline deadlineAfter(long nanos) {
    return Deadline.after(nanos, TimeUnit.NANOSECONDS, ticker);
  }

  double nextRandom() {
    return random.getAsDouble();
  }
}
