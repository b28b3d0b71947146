// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import org.jspecify.annotations.Nullable;

/**
 * A part of the history.
 *
 * @param beforeId only entries with smaller ids; the last id of one page leads to the next
 * @param limit at most so many
 * @param object only what happened to this object; null for everything
 */
public record HistoryQuery(long beforeId, int limit, @Nullable ObjectKey object) {
  public HistoryQuery {
    if (beforeId < 1) {
      throw new IllegalArgumentException("beforeId: " + beforeId + " (expected: from 1)");
    }
    if (limit < 1) {
      throw new IllegalArgumentException("limit: " + limit + " (expected: from 1)");
    }
  }

  /** The newest entries. */
  public static HistoryQuery newest(int limit) {
    return new HistoryQuery(Long.MAX_VALUE, limit, null);
  }

  /** The same among older entries. */
  public HistoryQuery before(long id) {
    return new HistoryQuery(id, limit, object);
  }

  /** The same for one object. */
  public HistoryQuery about(ObjectKey only) {
    return new HistoryQuery(beforeId, limit, only);
  }
}
