// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Gives a thread one task at a time, in order: what a task has scheduled there itself comes before
 * the next task.
 *
 * <p>On a thread that serves connections this means that a message is on its way, and its buffer
 * free for the next, before the next is written. A thousand that are all written first need a
 * thousand buffers, which costs more than all the rest.
 */
public final class ConnectionThread implements Executor {
  private final Executor thread;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();

  public ConnectionThread(Executor thread) {
    this.thread = thread;
  }

  /** The thread itself, which does at once what it is given, however much waits for its turn. */
  Executor thread() {
    return thread;
  }

  /** A thread that has ended takes nothing more, and drops what it is given. */
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
