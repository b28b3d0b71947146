// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import dev.holdfast.controlplane.ControlPlane;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A process: what it has yet to do ends with it. */
final class Life implements Executor {
  private final Executor executor;
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  @Nullable ControlPlane plane;
  private boolean ending;
  private boolean hurrying;
  private boolean dead;

  Life(Executor executor) {
    this.executor = executor;
  }

  @Override
  public void execute(Runnable task) {
    if (dead) {
      return;
    }
    tasks.add(task);
    if (!ending) {
      executor.execute(this::next);
    } else if (!hurrying) {
      hurry();
    }
  }

  /** Does everything at once from now on: whoever ends waits for it, on the only thread. */
  void hurry() {
    ending = true;
    hurrying = true;
    while (!tasks.isEmpty()) {
      next();
    }
    hurrying = false;
  }

  /** Leaves undone what it has yet to do, and does nothing any more. */
  void die() {
    dead = true;
    tasks.clear();
  }

  private void next() {
    Runnable task = tasks.poll();
    if (task != null) {
      task.run();
    }
  }
}
