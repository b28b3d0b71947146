// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.environment;

import dev.holdfast.demo.process.ChildProcesses;
import dev.holdfast.demo.process.Workspace;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Everything that must not outlive the demo. May be closed from any thread, also while things are
 * still being added: those are closed at once. Thread-safe.
 */
public final class CloseableGroup implements AutoCloseable {
  private final DemoClock clock;
  private final ChildProcesses children = new ChildProcesses();
  private final Workspace workspace;

  // Guarded by this.
  private final Deque<Runnable> closers = new ArrayDeque<>();
  private boolean closed;

  private CloseableGroup(DemoClock clock, Workspace workspace) {
    this.clock = clock;
    this.workspace = workspace;
  }

  static CloseableGroup create(DemoClock clock) throws IOException {
    return new CloseableGroup(clock, Workspace.create());
  }

  ChildProcesses children() {
    return children;
  }

  Workspace workspace() {
    return workspace;
  }

  /** Has something closed in the end, before what was added earlier. */
  void add(Runnable closer) {
    synchronized (this) {
      if (!closed) {
        closers.push(closer);
        return;
      }
    }
    closer.run();
    throw new DemoStoppedException();
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    clock.stop();
    closers.forEach(Runnable::run);
    children.close();
    try {
      workspace.close();
    } catch (IOException e) {
      // what somebody put there meanwhile is theirs
    }
  }
}
