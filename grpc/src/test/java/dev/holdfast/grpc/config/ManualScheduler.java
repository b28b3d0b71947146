// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import dev.holdfast.base.TimeSource;
import dev.holdfast.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A scheduler on time that is moved by hand, as far as gRPC needs one. */
final class ManualScheduler extends AbstractExecutorService implements ScheduledExecutorService {
  private final ManualTime time;

  ManualScheduler(ManualTime time) {
    this.time = time;
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    Task task = new Task(command);
    task.timer = time.schedule(Duration.ofNanos(unit.toNanos(delay)), task);
    return task;
  }

  private static final class Task extends FutureTask<Void>
      implements RunnableScheduledFuture<Void> {
    private TimeSource.Timer timer = () -> {};

    @SuppressWarnings("NullAway") // a task without a result
    Task(Runnable command) {
      super(command, null);
    }

    @Override
    public boolean cancel(boolean interrupt) {
      timer.cancel();
      return super.cancel(interrupt);
    }

    @Override
    public boolean isPeriodic() {
      return false;
    }

    @Override
    public long getDelay(TimeUnit unit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int compareTo(Delayed other) {
      throw new UnsupportedOperationException();
    }
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable command, long initialDelay, long period, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable command, long initialDelay, long delay, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void execute(Runnable command) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void shutdown() {}

  @Override
  public List<Runnable> shutdownNow() {
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return false;
  }
}
