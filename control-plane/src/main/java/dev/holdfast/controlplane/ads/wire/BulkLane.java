// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Passes large requests to the loop one at a time, with a pause after each of them that is three
 * times as long as the request took. So requests with thousands of names take a quarter of the
 * loop's time at most, and nobody else waits for more than one of them.
 */
final class BulkLane {
  private static final int PAUSE = 3;

  private final Loop loop;
  private final TimeSource time;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();

  BulkLane(Loop loop, TimeSource time) {
    this.loop = loop;
    this.time = time;
  }

  /** Has the loop run a task, after all tasks that were added to the lane before it. */
  void add(Runnable task) {
    tasks.add(task);
    if (scheduled.compareAndSet(false, true)) {
      loop.execute(this::next);
    }
  }

  private void next() {
    Runnable task = tasks.poll();
    if (task == null) {
      scheduled.set(false);
      if (!tasks.isEmpty() && scheduled.compareAndSet(false, true)) {
        loop.execute(this::next); // it came between the two
      }
      return;
    }
    long start = time.nanoTime();
    try {
      task.run();
    } finally {
      long took = time.nanoTime() - start;
      time.schedule(Duration.ofNanos(PAUSE * took), () -> loop.execute(this::next));
    }
  }
}
