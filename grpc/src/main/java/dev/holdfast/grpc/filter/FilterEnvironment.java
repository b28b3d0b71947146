// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.filter;

import io.grpc.Deadline;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What filters take from outside of their channel.
 *
 * @param scheduler asked for when a timer is needed; it is not given long work
 * @param random a number from 0, inclusive, to the given one, exclusive; on any thread
 * @param faults those under way
 */
public record FilterEnvironment(
    Supplier<ScheduledExecutorService> scheduler,
    Deadline.Ticker ticker,
    LongUnaryOperator random,
    ActiveFaults faults) {

  private static final ActiveFaults OF_THIS_PROCESS = new ActiveFaults();

  /** That of a channel of this process. */
  public static FilterEnvironment of(
      Supplier<ScheduledExecutorService> scheduler, LongUnaryOperator random) {
    return new FilterEnvironment(scheduler, Deadline.getSystemTicker(), random, OF_THIS_PROCESS);
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
}
