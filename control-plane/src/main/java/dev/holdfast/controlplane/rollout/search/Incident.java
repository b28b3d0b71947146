// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.search;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rejection, the search for its cause, and the result.
 *
 * @param resource the resource that was refused first
 * @param message the proxy's error text, sanitised
 * @param changes how many changes were tried together
 * @param pushes how many trials the search needed, after the first one
 * @param pushed the trials in order, from the one that was refused first; the list is limited
 * @param steps the steps of the search in order, in words
 * @param offenders the objects that are held because of it, with the evidence
 * @param took null while the incident is under way
 */
public record Incident(
    long id,
    Instant at,
    String proxyClass,
    ResourceId resource,
    String message,
    int changes,
    int pushes,
    List<Push> pushed,
    List<String> steps,
    List<Offender> offenders,
    @Nullable Duration took) {
  public Incident {
    pushed = List.copyOf(pushed);
    steps = List.copyOf(steps);
    offenders = List.copyOf(offenders);
  }

  /**
   * One trial.
   *
   * @param after the time since the rejection
   * @param changes how many changes were tried
   * @param canaries the nodes that tried them
   */
  public record Push(Duration after, int changes, List<String> canaries, Answer answer) {
    public Push {
      canaries = List.copyOf(canaries);
    }
  }

  /** What the canaries answered on a trial. */
  public enum Answer {
    /** Not all canaries have answered yet. */
    OPEN,
    ACCEPTED,
    REFUSED,
    /** The trial ended before all canaries had answered. */
    NONE
  }

  /** An object that caused the rejection. */
  public record Offender(ObjectKey object, long generation, Evidence evidence) {}

  /** The objects that caused the rejection, in the order in which the search found them. */
  public List<ObjectKey> offendingObjects() {
    return offenders.stream().map(Offender::object).toList();
  }
}
