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
 * A rejection, and what came of it.
 *
 * @param resource what was refused first
 * @param message what the proxy said, fit to be shown
 * @param units how many changes were under suspicion
 * @param pushes how many trials it has cost, after the first
 * @param pushed the trials, in their order, from the one that was refused first; the last ones may
 *     be left out
 * @param steps all that happened, in words, in its order
 * @param blames those that are held because of it, and the evidence
 * @param took null as long as it goes on
 */
public record Incident(
    long id,
    Instant at,
    String proxyClass,
    ResourceId resource,
    String message,
    int units,
    int pushes,
    List<Push> pushed,
    List<String> steps,
    List<Blame> blames,
    @Nullable Duration took) {
  public Incident {
    pushed = List.copyOf(pushed);
    steps = List.copyOf(steps);
    blames = List.copyOf(blames);
  }

  /**
   * One trial.
   *
   * @param after how long after the rejection
   * @param changes how many were tried
   * @param canaries the proxies that tried them
   */
  public record Push(Duration after, int changes, List<String> canaries, Answer answer) {
    public Push {
      canaries = List.copyOf(canaries);
    }
  }

  /** What the canaries made of a trial. */
  public enum Answer {
    /** They have not said yet. */
    OPEN,
    ACCEPTED,
    REFUSED,
    /** It was over before they had all said something. */
    NONE
  }

  /** An object that is to blame. */
  public record Blame(ObjectKey object, long generation, Evidence certificate) {}

  /** Those that are to blame, as they were found. */
  public List<ObjectKey> culprits() {
    return blames.stream().map(Blame::object).toList();
  }
}
