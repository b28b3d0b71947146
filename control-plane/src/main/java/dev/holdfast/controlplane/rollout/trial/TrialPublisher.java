// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.controlplane.rollout.fleet.TrialFleet;
import dev.holdfast.controlplane.rollout.hold.AbsenceReasons;
import dev.holdfast.controlplane.rollout.hold.HoldTable;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Shows proxies what the state of the rollout wants them to see. */
final class TrialPublisher {
  private final TrialFleet fleet;
  private final boolean useCanaries;
  private final Baseline baseline;
  private final HoldTable holds;
  private final DesiredTranslation desired;
  private final FirstContact first;
  private final AbsenceReasons reasons = new AbsenceReasons();

  TrialPublisher(
      TrialFleet fleet,
      boolean useCanaries,
      Baseline baseline,
      HoldTable holds,
      DesiredTranslation desired,
      FirstContact first) {
    this.fleet = fleet;
    this.useCanaries = useCanaries;
    this.baseline = baseline;
    this.holds = holds;
    this.desired = desired;
    this.first = first;
  }

  /**
   * Shows the trial to its canaries, and the baseline (at first contact: everything) to all others.
   *
   * @param trial null if none is shown
   */
  void publish(@Nullable Trial trial) {
    if (trial == null && !first.isGoingOn() && !baseline.isEstablished()) {
      return; // an empty baseline would take away what proxies came with
    }
    Snapshot served =
        reasons.added(
            first.shownOr(baseline.translation()).snapshot(),
            holds.all(),
            () -> desired.get(trial));
    if (trial == null) {
      fleet.show(served, first.shownBaseline(), baseline.translation().snapshot());
    } else if (trial.canaries().isEmpty() || !useCanaries) {
      Snapshot tried = trial.translation().snapshot();
      fleet.show(tried, Set.of(), tried);
    } else {
      fleet.show(served, Set.copyOf(trial.nodes()), trial.translation().snapshot());
    }
  }
}
