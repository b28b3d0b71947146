// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.source;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * How current the objects of one kind are, of one namespace or of all.
 *
 * @param state in one word
 * @param reason for people; empty if the objects are current
 * @param since when the objects were last known to be current; the start of the source if never
 * @param objects how many there are
 */
public record KindHealth(
    WatchedKind kind, String namespace, State state, String reason, Instant since, int objects) {
  /** The states of a kind. */
  public enum State {
    /** The objects have not been listed yet. */
    LISTING,
    /** The objects are those of the cluster. */
    CURRENT,
    /** The objects are those of some time ago: the API server does not answer, or fails. */
    STALE,
    /** The API server does not know the kind: there are no such objects. */
    UNKNOWN_KIND,
    /** Holdfast may not read the kind. What was read before stays. */
    FORBIDDEN
  }

  public KindHealth {
    requireNonNull(kind, "kind");
    requireNonNull(namespace, "namespace");
    requireNonNull(state, "state");
    requireNonNull(reason, "reason");
    requireNonNull(since, "since");
  }

  KindHealth with(int newObjects) {
    return objects == newObjects
        ? this
        : new KindHealth(kind, namespace, state, reason, since, newObjects);
  }
}
