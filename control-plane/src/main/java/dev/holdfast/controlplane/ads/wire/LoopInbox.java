// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import dev.holdfast.base.Loop;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Passes the events of one connection thread to the loop in batches: waking the loop for each of a
 * thousand acknowledgements costs more than handling them.
 */
final class LoopInbox {
  private final Loop loop;
  private final Executor thread;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();

  /**
   * @param thread runs a task after it has read from all connections that have data
   */
  LoopInbox(Loop loop, Executor thread) {
    this.loop = loop;
    this.thread = thread;
  }

  /** Has the loop run a task, after all tasks that were added before it. */
  void add(Runnable task) {
    tasks.add(task);
    if (scheduled.compareAndSet(false, true)) {
      try {
        thread.execute(this::deliver);
      } catch (RejectedExecutionException e) {
        deliver(); // the thread and its connections have ended, and the loop must learn of it
      }
    }
  }

  /**
   * Without a connection thread, callers deliver. Two of them must not do so at the same time: the
   * later one could be the first to reach the loop.
   */
  private synchronized void deliver() {
    scheduled.set(false);
    List<Runnable> batch = new ArrayList<>();
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      batch.add(task);
    }
    loop.executeAll(batch);
  }
}
