// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The one thread that prints. Closing it waits until everything is printed, but not for ever. */
final class PrinterThread implements Executor, AutoCloseable {
  private static final long PATIENCE_SECONDS = 5;

  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "holdfast-printing");
            thread.setDaemon(true);
            return thread;
          });

  @Override
  public void execute(Runnable task) {
    thread.execute(task);
  }

  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        thread.shutdownNow(); // nobody reads what we print
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
