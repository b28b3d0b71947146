// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.world;

import dev.holdfast.demo.process.Children;
import dev.holdfast.demo.process.Workspace;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Everything that must not outlive the demo. May be closed from any thread, also while things are
 * still being added: those are closed at once. Thread-safe.
 */
public final class Estate implements AutoCloseable {
  private final Clock clock;
  private final Children children = new Children();
  private final Workspace workspace;

  // Guarded by this.
  private final Deque<Runnable> closers = new ArrayDeque<>();
  private boolean closed;

  private Estate(Clock clock, Workspace workspace) {
    this.clock = clock;
    this.workspace = workspace;
  }

  static Estate create(Clock clock) throws IOException {
    return new Estate(clock, Workspace.create());
  }

  Children children() {
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
    throw new Stopped();
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
