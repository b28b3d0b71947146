// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.rollout.fleet.TrialFleet;
import dev.holdfast.controlplane.rollout.hold.HoldManager;
import dev.holdfast.controlplane.rollout.hold.HoldTable;
import dev.holdfast.controlplane.rollout.search.Attribution;
import dev.holdfast.controlplane.rollout.search.IncidentArchive;
import dev.holdfast.controlplane.rollout.search.IncidentRecorder;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.selection.DesiredObjects;
import dev.holdfast.controlplane.translate.Translation;
import java.util.function.UnaryOperator;

/** What a rollout knows: its trials change it, and others ask for it. */
record Parts(
    RolloutOptions options,
    TrialFleet stage,
    TimeSource time,
    RolloutObserver observer,
    Baseline base,
    DesiredObjects wishes,
    HoldTable holds,
    HoldManager convictions,
    IncidentRecorder incidents,
    Attribution attribution,
    ChangeIntake intake,
    DesiredTranslation desired) {
  /** Of a rollout that begins with nothing. */
  static Parts of(
      RolloutOptions options,
      Translation empty,
      TrialFleet stage,
      TimeSource time,
      RolloutObserver observer,
      UnaryOperator<String> sanitise,
      IncidentArchive all) {
    HoldTable holds = new HoldTable(stage::counts);
    Baseline base = new Baseline(empty, observer::affected);
    DesiredObjects wishes = new DesiredObjects(base::get);
    HoldManager convictions = new HoldManager(base, wishes, holds, time, observer, sanitise);
    IncidentRecorder incidents = new IncidentRecorder(all, time, observer::incident);
    return new Parts(
        options,
        stage,
        time,
        observer,
        base,
        wishes,
        holds,
        convictions,
        incidents,
        new Attribution(base, incidents, options.searchTime(), sanitise),
        new ChangeIntake(base, wishes, convictions),
        new DesiredTranslation(base, wishes, holds));
  }
}
