// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.http;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The open connections, of which there are only so many. A server that turns newcomers away when it
 * is full answers nobody as soon as somebody fills it; so a newcomer takes the place of the
 * connection whose caller has kept us waiting longest. A caller that sends its request at once and
 * reads the answer is never that one.
 *
 * <p>Used on the thread of all connections only.
 */
final class ConnectionTable {
  private final HttpLimits limits;
  private final Set<HttpConnection> open = new LinkedHashSet<>();
  private volatile int count; // the number of those open, for any thread
  private long unreadBytes;
  private long turns;

  ConnectionTable(HttpLimits limits) {
    this.limits = limits;
  }

  void opened(HttpConnection connection) {
    if (open.size() >= limits.connections()) {
      HttpConnection oldest = longestWaiting(other -> other.phase().isCallersTurn());
      if (oldest == null) {
        connection.drop();
        return;
      }
      oldest.drop();
    }
    open.add(connection);
    count = open.size();
  }

  void closed(HttpConnection connection) {
    open.remove(connection);
    count = open.size();
  }

  /** Nobody is served any more. */
  void dropAll() {
    List.copyOf(open).forEach(HttpConnection::drop);
  }

  /** How many are open. Any thread may ask. */
  int count() {
    return count;
  }

  /** An answer is about to be written. */
  void writes(HttpConnection connection, long bytes) {
    unreadBytes += bytes;
    while (unreadBytes > limits.unreadBytes()) {
      HttpConnection oldest =
          longestWaiting(
              other -> other != connection && other.phase() == HttpConnection.Phase.WRITING);
      if (oldest == null) {
        return; // one answer may be larger than the limit
      }
      oldest.drop();
    }
  }

  /** An answer is written, or nobody waits for it any more. */
  void wrote(long bytes) {
    unreadBytes -= bytes;
  }

  /** Orders what happens to connections. */
  long nextTurn() {
    return turns++;
  }

  private @Nullable HttpConnection longestWaiting(Predicate<HttpConnection> candidates) {
    HttpConnection oldest = null;
    for (HttpConnection connection : open) {
      if (candidates.test(connection) && (oldest == null || connection.since() < oldest.since())) {
        oldest = connection;
      }
    }
    return oldest;
  }
}
