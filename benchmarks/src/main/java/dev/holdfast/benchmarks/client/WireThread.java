// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.client;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The one thread that reads the wire and runs the client: whatever a client does for a response, it
 * does here, so that no contender wins by using more cores and all that it allocates can be told.
 */
public final class WireThread implements Executor, AutoCloseable {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private final Thread thread = new Thread(this::run, "wire");
  private volatile boolean closed;

  public WireThread() {
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  /** Waits until everything that was submitted so far has run. */
  public void drain() {
    CountDownLatch done = new CountDownLatch(1);
    execute(done::countDown);
    try {
      done.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Time that this thread spent on a core since it started. */
  long cpuNanos() {
    return THREADS.getThreadCpuTime(thread.getId());
  }

  /** Bytes allocated on this thread since it started. */
  long allocatedBytes() {
    return THREADS.getThreadAllocatedBytes(thread.getId());
  }

  /** Ends the thread after what was submitted so far, and waits for it: it may hold a client. */
  @Override
  public void close() {
    execute(() -> closed = true);
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  private void run() {
    try {
      while (!closed) {
        tasks.take().run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
