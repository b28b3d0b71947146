// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.controlplane.ledger.DecisionProbe;
import dev.holdfast.controlplane.rollout.fleet.ScoutProbe;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How careful a rollout is.
 *
 * @param canaries whether one proxy of each class tries changes before all others get them
 * @param patience how long a class that is not ready is waited for
 * @param silence the time after which a canary that does not answer is taken for lost
 * @param searchTime the time after which a search gives up and holds all suspects that are left
 * @param release how often one of these suspects is retried by itself
 * @param probation the time after a rejection during which an object is tried after all others
 * @param disagreement what happens to a change that some classes accept and others refuse
 * @param probe is passed before each decision
 * @param isForScouts whether the proxies serve nobody, so that a loss costs nothing
 * @param scoutProbe sends requests through scouts; null if nobody does
 */
public record RolloutOptions(
    boolean canaries,
    Duration patience,
    Duration silence,
    Duration searchTime,
    Duration release,
    Duration probation,
    DisagreementPolicy disagreement,
    DecisionProbe probe,
    boolean isForScouts,
    @Nullable ScoutProbe scoutProbe) {
  /** A scout has little else to do than to answer, and nobody waits for it. */
  private static final Duration SILENCE_OF_A_SCOUT = Duration.ofSeconds(4);

  public static RolloutOptions defaults() {
    return new RolloutOptions(
        true,
        Duration.ofSeconds(20),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofSeconds(1),
        Duration.ofSeconds(60),
        DisagreementPolicy.UNIFORM,
        DecisionProbe.NONE,
        false,
        null);
  }

  /** The same with canaries or without. */
  public RolloutOptions withCanaries(boolean wanted) {
    return new RolloutOptions(
        wanted,
        patience,
        silence,
        searchTime,
        release,
        probation,
        disagreement,
        probe,
        isForScouts,
        scoutProbe);
  }

  /** The same with more or less time for a search. */
  public RolloutOptions withSearchTime(Duration other) {
    return new RolloutOptions(
        canaries,
        patience,
        silence,
        other,
        release,
        probation,
        disagreement,
        probe,
        isForScouts,
        scoutProbe);
  }

  /** The same with another policy for disagreement. */
  public RolloutOptions withDisagreement(DisagreementPolicy other) {
    return new RolloutOptions(
        canaries,
        patience,
        silence,
        searchTime,
        release,
        probation,
        other,
        probe,
        isForScouts,
        scoutProbe);
  }

  /** The same with another probe. */
  public RolloutOptions withProbe(DecisionProbe other) {
    return new RolloutOptions(
        canaries,
        patience,
        silence,
        searchTime,
        release,
        probation,
        disagreement,
        other,
        isForScouts,
        scoutProbe);
  }

  /** The same with requests through scouts. */
  public RolloutOptions withScoutProbe(@Nullable ScoutProbe other) {
    return new RolloutOptions(
        canaries,
        patience,
        silence,
        searchTime,
        release,
        probation,
        disagreement,
        probe,
        isForScouts,
        other);
  }

  /** The same for scouts, which have to agree with each other. */
  public RolloutOptions forScouts() {
    return new RolloutOptions(
        /* canaries= */ true,
        Duration.ZERO, // what one scout finds does not wait for another
        silence.compareTo(SILENCE_OF_A_SCOUT) < 0 ? silence : SILENCE_OF_A_SCOUT,
        searchTime,
        release,
        probation,
        DisagreementPolicy.UNIFORM,
        probe,
        true,
        scoutProbe);
  }
}
