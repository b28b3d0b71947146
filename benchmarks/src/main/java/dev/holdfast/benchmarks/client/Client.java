// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.client;

import java.util.List;

/** An xDS client under measurement, connected to a {@link Wire}. */
public interface Client extends AutoCloseable {
  /** The server's end of its stream. */
  Wire wire();

  /**
   * Watches one resource with a watcher of its own, which reports to the {@link Wire} and is called
   * wherever the client happens to be.
   */
  void watch(Kind kind, String name);

  /** Watches everything, then lets the connection come up, as when an application starts. */
  default void start(Kind kind, List<String> names) {
    names.forEach(name -> watch(kind, name));
    wire().connect();
    wire().awaitSubscribed(names.size());
  }

  @Override
  void close();
}
