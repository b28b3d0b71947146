// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Writes to the connections of one thread: runs one task at a time, in order. A follow-up that a
 * task schedules on the thread itself runs before the next task.
 *
 * <p>So a message is flushed, and its buffer is free again, before the next message is written. A
 * thousand messages that are all written first need a thousand buffers, which costs more than
 * everything else.
 */
public final class ConnectionThread implements Executor {
  private final Executor thread;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();

  public ConnectionThread(Executor thread) {
    this.thread = thread;
  }

  /** The thread itself: its tasks do not queue behind those of this executor. */
  Executor executor() {
    return thread;
  }

  /** Queues a task. A thread that has ended drops it. */
  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    if (waiting.getAndIncrement() == 0) {
      next();
    }
  }

  private void next() {
    try {
      thread.execute(this::take);
    } catch (RejectedExecutionException e) {
      tasks.clear(); // its connections are gone with it
    }
  }

  private void take() {
    try {
      Runnable task = tasks.poll();
      if (task != null) {
        task.run();
      }
    } finally {
      if (waiting.decrementAndGet() > 0) {
        next();
      }
    }
  }
}
