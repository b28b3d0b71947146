// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.hold;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An object whose newest generation is not served.
 *
 * @param generation the generation that is held
 * @param served the generation that is served instead; 0 if none is
 * @param evidence null unless a proxy refused the object itself
 * @param cause the object that this one waits for, or conflicts with; null if there is none
 * @param closed whether every request is answered with 503 meanwhile, as the author asked for
 */
public record Hold(
    ObjectKey key,
    long generation,
    long served,
    Reason reason,
    @Nullable Evidence evidence,
    @Nullable ObjectKey cause,
    Instant since,
    boolean closed) {
  /** The same hold when no generation is served. */
  Hold withNothingServed() {
    return new Hold(key, generation, 0, reason, evidence, cause, since, closed);
  }

  /**
   * Why an object is held. Readers switch over it without a default, so that a new reason does not
   * compile until each of them has words for it.
   */
  public enum Reason {
    /** A proxy refused it. */
    REJECTED,
    /** A proxy refused it together with another object, and might accept it without. */
    CONFLICT,
    /** It refers to an object that is held. */
    DEPENDENCY_REJECTED,
    /** A trial that contained it was refused, and the search for the cause took too long. */
    ATTRIBUTION_PENDING;

    /** Whether a proxy refused this object itself, alone or together with another one. */
    public boolean isRefusal() {
      return switch (this) {
        case REJECTED, CONFLICT -> true;
        case DEPENDENCY_REJECTED, ATTRIBUTION_PENDING -> false;
      };
    }

    /** Whether the evidence counts against the same contribution wherever it appears again. */
    public boolean isProven() {
      return switch (this) {
        case REJECTED -> true;
        case CONFLICT, DEPENDENCY_REJECTED, ATTRIBUTION_PENDING -> false;
      };
    }
  }
}
