// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.hold;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An object that is kept from its newest generation.
 *
 * @param generation the one that is not served
 * @param served the one that is; 0 if none is
 * @param certificate null unless the object itself was refused
 * @param cause the object that this one has to wait for, or does not go together with; null if it
 *     is none
 * @param closed whether everything is answered with 503 meanwhile, as its author asked for
 */
public record Hold(
    ObjectKey key,
    long generation,
    long served,
    Reason reason,
    @Nullable Evidence certificate,
    @Nullable ObjectKey cause,
    Instant since,
    boolean closed) {
  /** The same while nothing of the object is served. */
  Hold withNothingServed() {
    return new Hold(key, generation, 0, reason, certificate, cause, since, closed);
  }

  /** Why. */
  public enum Reason {
    /** Proxies refused it. */
    REJECTED,
    /** Proxies refused it together with another one, and might accept it without. */
    CONFLICT,
    /** It refers to an object that is held. */
    DEPENDENCY_REJECTED,
    /**
     * It came together with others that were refused, and who is to blame took too long to tell.
     */
    ATTRIBUTION_PENDING
  }
}
