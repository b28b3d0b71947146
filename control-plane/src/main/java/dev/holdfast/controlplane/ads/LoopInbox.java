// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.base.Loop;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Gives the loop what comes in on the connections of one thread, once for all that came together:
 * to wake the loop for each of a thousand acknowledgements costs more than to take them.
 */
final class LoopInbox {
  private final Loop loop;
  private final Executor thread;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();

  /**
   * @param thread does what it is given after it has read from all connections that have something
   */
  LoopInbox(Loop loop, Executor thread) {
    this.loop = loop;
    this.thread = thread;
  }

  /** Has the loop run {@code task} after all that was added before it. */
  void add(Runnable task) {
    tasks.add(task);
    if (scheduled.compareAndSet(false, true)) {
      try {
        thread.execute(this::deliver);
      } catch (RejectedExecutionException e) {
        deliver(); // the thread has ended, and with it the connections, which the loop must know
      }
    }
  }

  private void deliver() {
    scheduled.set(false);
    List<Runnable> together = new ArrayList<>();
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      together.add(task);
    }
    loop.executeAll(together);
  }
}
