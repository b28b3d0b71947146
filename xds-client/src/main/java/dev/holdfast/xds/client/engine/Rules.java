// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import dev.holdfast.xds.client.Behaviour;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.ServerFeature;
import java.time.Duration;

/**
 * How one server's errors are to be taken.
 *
 * @param readResourceErrors whether the server's own errors count (xRFC TP3)
 * @param onInvalid what becomes of a resource in use whose update is invalid or denied
 * @param onDeletion what becomes of a resource in use that the server no longer has
 * @param timerIsTransient whether a resource timer means slowness instead of absence
 * @param resourceTimeout how long the timer runs
 */
record Rules(
    boolean readResourceErrors,
    DataError onInvalid,
    DataError onDeletion,
    boolean timerIsTransient,
    Duration resourceTimeout) {

  /** What a data error does to a resource that is in use. */
  enum DataError {
    /** Goes on being used; watchers hear an ambient error. */
    KEEP,
    /** No longer used; watchers hear the error in its place. */
    DROP,
    /** As if nothing had happened (gRFC A53). */
    IGNORE
  }

  static Rules of(Behaviour behaviour, ServerConfig server) {
    if (!behaviour.dataErrorHandling()) {
      return new Rules(
          /* readResourceErrors= */ false,
          DataError.KEEP,
          server.has(ServerFeature.IGNORE_RESOURCE_DELETION) ? DataError.IGNORE : DataError.DROP,
          /* timerIsTransient= */ false,
          behaviour.resourceTimeout());
    }
    DataError onDataError =
        server.has(ServerFeature.FAIL_ON_DATA_ERRORS) ? DataError.DROP : DataError.KEEP;
    boolean slow = server.has(ServerFeature.RESOURCE_TIMER_IS_TRANSIENT_ERROR);
    return new Rules(
        /* readResourceErrors= */ true,
        onDataError,
        onDataError,
        slow,
        slow ? behaviour.transientResourceTimeout() : behaviour.resourceTimeout());
  }
}
