// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls on a borrowed executor one at a time and in order, also if that is a pool. There is
 * one per watcher, so that it costs next to nothing while it is idle.
 */
final class SerialCalls {
  private final Executor executor;

  // Guarded by this.
  private boolean running;
  private @Nullable ArrayDeque<Runnable> waiting;

  SerialCalls(Executor executor) {
    this.executor = executor;
  }

  /**
   * Makes {@code call}, which must not throw, after all earlier ones. Throws what the executor
   * throws; then the call is not made. Only from one thread at a time.
   */
  void execute(Runnable call) {
    synchronized (this) {
      if (running) {
        if (waiting == null) {
          waiting = new ArrayDeque<>(2);
        }
        waiting.add(call);
        return;
      }
      running = true;
    }
    try {
      executor.execute(() -> make(call));
    } catch (Throwable e) {
      synchronized (this) {
        running = false;
      }
      throw e;
    }
  }

  private void make(Runnable call) {
    call.run();
    for (Runnable next = next(); next != null; next = next()) {
      Runnable following = next;
      try {
        executor.execute(() -> make(following));
        return;
      } catch (Throwable e) { // refused, but this thread is the executor's own
        next.run();
      }
    }
  }

  private synchronized @Nullable Runnable next() {
    Runnable next = waiting == null ? null : waiting.poll();
    if (next == null) {
      running = false;
      waiting = null;
    }
    return next;
  }
}
