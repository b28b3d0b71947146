// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client;

/** A watch that is under way. Thread-safe. */
public interface Watch extends AutoCloseable {
  /**
   * Ends the watch. Idempotent. No further callback is made; one that another thread is about to
   * start at this very moment may still run.
   */
  void cancel();

  /**
   * Like {@link #cancel}, for a caller that is about to watch another resource of the same type in
   * its place: the server hears of it together with the next request of that type, not by a request
   * of its own.
   */
  void cancelForReplacement();

  @Override
  default void close() {
    cancel();
  }
}
