// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;

/** Runs tasks when told to, on the caller's thread, in order. Single-threaded. */
public final class ManualExecutor implements Executor {
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  /** Runs everything that waits, and everything that this causes to wait. */
  public void runAll() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  /** Runs the task that has waited longest; false if there is none. */
  public boolean runOne() {
    Runnable task = tasks.poll();
    if (task == null) {
      return false;
    }
    task.run();
    return true;
  }

  public int pending() {
    return tasks.size();
  }
}
