// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.hold;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An object whose newest generation is not served.
 *
 * @param generation the generation that is held
 * @param served the generation that is served instead; 0 if none is
 * @param evidence null unless a proxy refused the object itself
 * @param cause the object that this one waits for, or conflicts with; null if there is none
 * @param guards the object that this one is a policy for; null if it is no policy
 * @param problems what is wrong with it, if that was found without a proxy; empty otherwise
 * @param closed whether every request is answered with 503 meanwhile, as the author asked for
 */
public record Hold(
    ObjectKey key,
    long generation,
    long served,
    Reason reason,
    @Nullable Evidence evidence,
    @Nullable ObjectKey cause,
    @Nullable ObjectKey guards,
    List<String> problems,
    Instant since,
    boolean closed) {
  public Hold {
    problems = List.copyOf(problems);
  }

  /** The same hold when no generation is served. */
  public Hold withNothingServed() {
    return new Hold(key, generation, 0, reason, evidence, cause, guards, problems, since, closed);
  }

  /** Whether this says the same as another hold, whenever each of them began. */
  boolean says(@Nullable Hold other) {
    return other != null
        && equals(
            new Hold(
                other.key,
                other.generation,
                other.served,
                other.reason,
                other.evidence,
                other.cause,
                other.guards,
                other.problems,
                since,
                other.closed));
  }

  /** Whether no proxy was asked: it was held because of what it says. */
  public boolean isFoundByValidation() {
    return !problems.isEmpty() && !isInternalError();
  }

  /**
   * Whether proxies rejected it, by itself or with others. What makes them go away, or fail with a
   * request, they have accepted or not answered; everything else was not shown to them.
   */
  public boolean isFoundByProxies() {
    return switch (reason) {
      case REJECTED -> true;
      case CONFLICT, ATTRIBUTION_PENDING -> problems.isEmpty();
      case PROBE_FAILED, PROXY_DIED, PROXY_HUNG, INVALID, DEPENDENCY_REJECTED -> false;
    };
  }

  /** Whether it is held because of an error of our own. */
  public boolean isInternalError() {
    return !problems.isEmpty() && reason == Reason.ATTRIBUTION_PENDING;
  }

  /**
   * Why an object is held. Readers switch over it without a default, so that a new reason does not
   * compile until each of them has words for it.
   */
  public enum Reason {
    /** A proxy refused it. */
    REJECTED,
    /** A scout accepted it, and does not serve it as it should. */
    PROBE_FAILED,
    /** Proxies went away when they received it. */
    PROXY_DIED,
    /** Proxies did not answer any more when they received it. */
    PROXY_HUNG,
    /** It does not validate, or refers to something that is not there. */
    INVALID,
    /**
     * It is good by itself, but another object that is served has what it claims, or a proxy
     * refused it together with another object.
     */
    CONFLICT,
    /** It refers to an object that is held. */
    DEPENDENCY_REJECTED,
    /**
     * A trial that contained it was refused, and the search for the cause took too long; or there
     * was an error of our own.
     */
    ATTRIBUTION_PENDING;

    /** Whether a proxy refused this object itself, alone or together with another one. */
    public boolean isRefusal() {
      return switch (this) {
        case REJECTED, PROBE_FAILED, PROXY_DIED, PROXY_HUNG, CONFLICT -> true;
        case INVALID, DEPENDENCY_REJECTED, ATTRIBUTION_PENDING -> false;
      };
    }

    /** Whether proxies were lost to it. */
    public boolean isLoss() {
      return this == PROXY_DIED || this == PROXY_HUNG;
    }

    /** Whether the evidence counts against the same contribution wherever it appears again. */
    public boolean isProven() {
      return switch (this) {
        case REJECTED, PROBE_FAILED, PROXY_DIED, PROXY_HUNG -> true;
        case INVALID, CONFLICT, DEPENDENCY_REJECTED, ATTRIBUTION_PENDING -> false;
      };
    }
  }
}
