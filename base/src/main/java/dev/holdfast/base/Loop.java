// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks one at a time, in the order they came, on a borrowed executor. State that is only
 * touched from one loop needs no lock.
 *
 * <p>A <em>turn</em> is a run of tasks that were waiting together. Work that is best done once for
 * several tasks (one request for many subscriptions) is put off with {@link #atEndOfTurn}.
 *
 * <p>A task that throws does not stop the loop; the exception goes to the handler given at
 * creation. Nor does a handler that throws, whose exception goes to the executor, nor an executor
 * that refuses a turn: what was waiting runs with whatever comes next.
 */
public final class Loop implements Executor {
  /** Keeps a flood of tasks from putting the end of the turn off for ever. */
  private static final int LONGEST_TURN = 4096;

  private final Executor executor;
  private final Consumer<? super Throwable> onUncaught;

  // Any thread.
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private volatile @Nullable Thread current;

  // Loop only.
  private final ArrayDeque<Runnable> endOfTurn = new ArrayDeque<>();

  public Loop(Executor executor, Consumer<? super Throwable> onUncaught) {
    this.executor = executor;
    this.onUncaught = onUncaught;
  }

  /** Runs {@code task} after everything that was submitted before it. Never runs it inline. */
  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    schedule();
  }

  /** Runs tasks that came together, in order, and wakes the executor for them once. */
  public void executeAll(Collection<? extends Runnable> some) {
    if (!some.isEmpty()) {
      tasks.addAll(some);
      schedule();
    }
  }

  /** Runs {@code task} when the tasks of this turn are done. Only from the loop. */
  public void atEndOfTurn(Runnable task) {
    check();
    endOfTurn.add(task);
  }

  /** Whether the calling thread is running a task of this loop. */
  public boolean isCurrent() {
    return current == Thread.currentThread();
  }

  /** Throws unless called from a task of this loop. */
  public void check() {
    if (!isCurrent()) {
      throw new IllegalStateException("not on the loop: " + Thread.currentThread().getName());
    }
  }

  private void schedule() {
    if (scheduled.compareAndSet(false, true)) {
      try {
        executor.execute(this::turn);
      } catch (Throwable e) { // a pool that is full, or cannot have another thread
        scheduled.set(false); // the next task may have more luck
        throw e;
      }
    }
  }

  private void turn() {
    current = Thread.currentThread();
    try {
      for (int i = 0; i < LONGEST_TURN; i++) {
        Runnable task = tasks.poll();
        if (task == null) {
          break;
        }
        run(task);
      }
      for (Runnable last = endOfTurn.poll(); last != null; last = endOfTurn.poll()) {
        run(last);
      }
    } finally {
      boolean cutShort = !endOfTurn.isEmpty(); // by a handler that throws
      current = null;
      scheduled.set(false);
      if (cutShort || !tasks.isEmpty()) {
        schedule();
      }
    }
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) {
      onUncaught.accept(e);
    }
  }
}
