// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import dev.holdfast.config.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What happened, as it was stored. May block; never called from a loop. */
@FunctionalInterface
public interface History {
  /** Newest first. */
  List<Entry> read(Query query);

  /**
   * A part of it.
   *
   * @param before only entries with smaller ids
   * @param limit at most so many
   * @param object only what happened to it; null for everything
   */
  record Query(long before, int limit, @Nullable ObjectKey object) {}

  /**
   * One thing that happened.
   *
   * @param id ascending, never given again
   * @param kind such as {@code OBJECT_CHANGED}
   * @param object null if it was to none
   * @param generation 0 if it was to no object
   * @param resource empty if it was about none
   * @param proxy empty if it was with none
   * @param took null if that means nothing
   */
  record Entry(
      long id,
      Instant at,
      String kind,
      @Nullable ObjectKey object,
      long generation,
      String resource,
      String proxy,
      String message,
      @Nullable Duration took) {}
}
