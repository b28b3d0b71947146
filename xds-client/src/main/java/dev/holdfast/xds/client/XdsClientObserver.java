// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client;

import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Hears of what the engine does: the one place where logs and metrics (gRFC A78) come from. Called
 * from the engine's loop; must be quick.
 */
public interface XdsClientObserver {
  /** An observer that does nothing. */
  static XdsClientObserver none() {
    return new XdsClientObserver() {};
  }

  /**
   * A response held {@code valid} good and {@code invalid} bad resources of those that are watched.
   */
  default void resourceUpdates(ServerConfig server, ResourceType<?> type, int valid, int invalid) {}

  /** A working server became unreachable. Counted on the edge, not per attempt. */
  default void serverFailure(ServerConfig server, Status status) {}

  /** Whether there is a working stream to a server that is in use; null when it no longer is. */
  default void connected(ServerConfig server, @Nullable Boolean connected) {}

  /**
   * A watched resource entered, changed or left the cache.
   *
   * @param authority as gRFC A78 labels it: {@code #old} for names without one
   * @param before label of its previous state; null if it is new
   * @param after label of its new state; null if it is gone
   */
  default void cacheStateChanged(
      String authority, ResourceType<?> type, @Nullable String before, @Nullable String after) {}

  /** A stream to {@code server} was started. */
  default void streamStarted(ServerConfig server) {}

  /** A stream to {@code server} ended; the status is an error only if it was one (gRFC A57). */
  default void streamEnded(ServerConfig server, Status status) {}

  /** A response was refused; {@code detail} is what the server is told. */
  default void nackSent(ServerConfig server, ResourceType<?> type, String version, String detail) {}

  /** A response of a type that nobody watches or has watched on this stream was skipped. */
  default void unknownTypeIgnored(ServerConfig server, String typeUrl) {}

  /** The server said which loads it wants to hear of, on a new stream. */
  default void loadReportsBegan(ServerConfig server) {}

  /** A stream of load reports ended. It is tried again, and what it did not carry is kept. */
  default void loadReportsEnded(ServerConfig server, Status status) {}

  /** A watcher or an executor threw; the engine goes on. */
  default void uncaught(Throwable error) {}
}
