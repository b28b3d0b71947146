// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.CacheEntry.Failure;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/** What happens when a resource timer fires. */
final class ResourceTimeout {
  private ResourceTimeout() {}

  /** Returns false if the server does not count at present, so that its silence means nothing. */
  static <T> boolean apply(Entry<T> entry, Connection connection, EngineContext context) {
    CacheEntry<T> state = entry.state();
    boolean alreadySaid =
        state.state() == CacheEntry.State.DOES_NOT_EXIST
            || state.state() == CacheEntry.State.TIMEOUT;
    if (state.resource() != null || alreadySaid) {
      return true;
    }
    if (!entry.authority.countsOn(connection)) {
      return false;
    }
    Rules rules = connection.rules;
    Status status =
        context.errors.timedOut(
            entry.type,
            entry.name,
            connection.server,
            rules.resourceTimeout(),
            rules.timerIsTransient(),
            reasonBefore(state));
    entry.set(Transitions.timedOut(new Failure(status, "", null), rules));
    entry.tellWatchers(null);
    return true;
  }

  /**
   * A rejection or an error that the server sent on an earlier stream says more than silence does.
   */
  private static @Nullable Status reasonBefore(CacheEntry<?> state) {
    Failure failure = state.failure();
    return failure == null ? null : failure.status();
  }
}
