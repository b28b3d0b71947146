// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import dev.holdfast.base.TimeSource;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A few threads on which answers are made, each lent for a limited time: at its end the thread is
 * interrupted, which ends a wait for the control plane or for the disk.
 */
final class RequestThreads implements Executor, AutoCloseable {
  private final ThreadPoolExecutor pool;
  private final TimeSource time;
  private final Duration longest;

  /**
   * @param threads how many tasks run at once
   * @param waiting how many more may wait; those beyond are refused
   * @param longest how long a task may run
   */
  RequestThreads(String name, int threads, int waiting, Duration longest, TimeSource time) {
    AtomicInteger number = new AtomicInteger();
    pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(waiting),
            task -> {
              Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    this.time = time;
    this.longest = longest;
  }

  @Override
  public void execute(Runnable task) {
    pool.execute(() -> TimeLimit.run(time, longest, task::run));
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }
}
