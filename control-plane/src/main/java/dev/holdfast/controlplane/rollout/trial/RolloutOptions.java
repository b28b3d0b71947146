// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import java.time.Duration;

/**
 * How careful a rollout is.
 *
 * @param canaries whether changes are tried on one proxy of each class before all others get them
 * @param patience after which another canary is asked
 * @param searchTime after which the search for those to blame gives up, and holds all that is left
 * @param release how often one of those is tried by itself
 * @param probation for how long after a rejection an object has to wait behind all others
 * @param disagreement what becomes of a change that some classes of proxies refuse
 */
public record RolloutOptions(
    boolean canaries,
    Duration patience,
    Duration searchTime,
    Duration release,
    Duration probation,
    DisagreementPolicy disagreement) {
  public static RolloutOptions defaults() {
    return new RolloutOptions(
        true,
        Duration.ofSeconds(20),
        Duration.ofSeconds(30),
        Duration.ofSeconds(1),
        Duration.ofSeconds(60),
        DisagreementPolicy.UNIFORM);
  }

  /** The same with canaries or without. */
  public RolloutOptions withCanaries(boolean wanted) {
    return new RolloutOptions(wanted, patience, searchTime, release, probation, disagreement);
  }

  /** The same for proxies that disagree in another way. */
  public RolloutOptions withDisagreement(DisagreementPolicy other) {
    return new RolloutOptions(canaries, patience, searchTime, release, probation, other);
  }
}
