// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.kit;

import dev.holdfast.base.TimeSource;
import dev.holdfast.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs what it is given when the manual clock says so. */
public final class ManualScheduler extends AbstractExecutorService
    implements ScheduledExecutorService {
  private final ManualTime time;

  public ManualScheduler(ManualTime time) {
    this.time = time;
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    Task task = new Task(command, null);
    task.scheduleIn(Duration.of(delay, unit.toChronoUnit()));
    return task;
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable command, long initialDelay, long delay, TimeUnit unit) {
    Task task = new Task(command, Duration.of(delay, unit.toChronoUnit()));
    task.scheduleIn(Duration.of(initialDelay, unit.toChronoUnit()));
    return task;
  }

  @Override
  public void execute(Runnable command) {
    command.run();
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

  private final class Task extends FutureTask<@Nullable Void>
      implements ScheduledFuture<@Nullable Void> {
    private final @Nullable Duration again;
    private TimeSource.@Nullable Timer timer;

    Task(Runnable command, @Nullable Duration again) {
      super(command, null);
      this.again = again;
    }

    void scheduleIn(Duration delay) {
      timer = time.schedule(delay, this);
    }

    @Override
    public void run() {
      if (again == null) {
        super.run();
      } else if (runAndReset()) {
        scheduleIn(again);
      }
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
      if (timer != null) {
        timer.cancel();
      }
      return super.cancel(mayInterrupt);
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return 0;
    }

    @Override
    public int compareTo(Delayed other) {
      return 0;
    }
  }
}
