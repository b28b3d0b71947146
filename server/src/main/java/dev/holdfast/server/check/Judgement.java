// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.check;

import dev.holdfast.config.ObjectKey;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What came of the objects that an Envoy was shown.
 *
 * @param outcomes of each object
 * @param isComplete whether each was judged in time
 */
public record Judgement(SortedMap<ObjectKey, Outcome> outcomes, boolean isComplete) {
  public Judgement {
    outcomes = Collections.unmodifiableSortedMap(new TreeMap<>(outcomes));
  }

  /** What can come of an object. */
  public enum Kind {
    /** It runs. */
    ACCEPTED,
    /** Nothing that is served uses it. */
    UNUSED,
    /** It is not valid, or claims what another object has. */
    INVALID,
    /** It cannot be served because of another object. */
    WAITING,
    /** The proxy said NACK. */
    REFUSED,
    /** The proxy ended of it. */
    DIED,
    /** The proxy stopped answering. */
    HUNG,
    /** There is no answer. */
    OPEN
  }

  /**
   * What came of one object.
   *
   * @param reason as in the condition {@code Programmed}
   * @param resource the refused resource, such as {@code RouteConfiguration ingress_http}; empty if
   *     it was not refused
   * @param message the proxy's own words, or ours if it has none
   */
  public record Outcome(Kind kind, String reason, String resource, String message) {}
}
