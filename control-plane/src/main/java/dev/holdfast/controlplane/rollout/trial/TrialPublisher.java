// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.controlplane.rollout.fleet.TrialFleet;
import dev.holdfast.controlplane.rollout.hold.AbsenceReasons;
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Shows proxies what they are to see: the base, a trial, or all there is at first contact. */
final class TrialPublisher {
  private final Parts parts;
  private final FirstContact first;
  private final AbsenceReasons reasons = new AbsenceReasons();

  TrialPublisher(Parts parts, FirstContact first) {
    this.parts = parts;
    this.first = first;
  }

  void show(@Nullable Trial trial, boolean everAccepted) {
    if (trial == null && !first.isGoingOn() && !everAccepted) {
      return; // the first trial shows more than the base, which has nothing in it
    }
    Snapshot base = parts.base().translation().snapshot();
    Snapshot known = first.orElse(parts.base().translation()).snapshot();
    Snapshot served = reasons.added(known, parts.holds().all(), () -> parts.desired().get(trial));
    TrialFleet stage = parts.stage();
    if (trial == null) {
      stage.show(served, first.onTheBase(), base);
    } else if (trial.canaries.isEmpty() || !parts.options().canaries()) {
      Snapshot tried = trial.translation.snapshot();
      stage.show(tried, Set.of(), tried);
    } else {
      stage.show(served, Set.copyOf(trial.canaries.values()), trial.translation.snapshot());
    }
  }
}
