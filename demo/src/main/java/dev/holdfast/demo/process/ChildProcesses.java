// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The processes that were started. Once closed, none is started any more. Thread-safe. */
public final class ChildProcesses implements AutoCloseable {
  // Guarded by this.
  private final List<ChildProcess> children = new ArrayList<>();
  private boolean closed;

  /** Starts a program whose output goes to a file. */
  public synchronized ChildProcess start(List<String> command, Path log) throws IOException {
    if (closed) {
      throw new IOException("stopped");
    }
    ChildProcess child = ChildProcess.start(command, log);
    children.add(child);
    return child;
  }

  @Override
  public synchronized void close() {
    closed = true;
    children.forEach(ChildProcess::close);
    children.clear();
  }
}
