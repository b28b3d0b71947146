// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import dev.holdfast.base.TimeSource;
import java.time.Duration;

/**
 * Interrupts a thread that is not done in time. Whoever waits for a socket then gets an exception,
 * and the socket is closed.
 */
final class TimeLimit {
  private final Thread thread = Thread.currentThread();
  private boolean over; // guarded by this

  private TimeLimit() {}

  /** Something that may take too long. */
  @FunctionalInterface
  interface Task<E extends Exception> {
    void run() throws E;
  }

  /**
   * Runs a task. When this returns, no interrupt comes any more, and one that came is forgotten.
   */
  static <E extends Exception> void run(TimeSource time, Duration longest, Task<E> task) throws E {
    TimeLimit limit = new TimeLimit();
    TimeSource.Timer timer = time.schedule(longest, limit::interrupt);
    try {
      task.run();
    } finally {
      timer.cancel();
      limit.end();
    }
  }

  private synchronized void interrupt() {
    if (!over) {
      thread.interrupt();
    }
  }

  private synchronized void end() {
    over = true;
    Thread.interrupted();
  }
}
