// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.translate.Translation;
import java.util.function.UnaryOperator;

/** What a rollout knows: its trials change it, and others ask for it. */
record Parts(
    RolloutOptions options,
    Stage stage,
    TimeSource time,
    RolloutObserver observer,
    Base base,
    Wishes wishes,
    Holds holds,
    Convictions convictions,
    IncidentLog incidents,
    Attribution attribution,
    Intake intake,
    Desired desired) {
  /** Of a rollout that begins with nothing. */
  static Parts of(
      RolloutOptions options,
      Translation empty,
      Stage stage,
      TimeSource time,
      RolloutObserver observer,
      UnaryOperator<String> sanitise,
      Incidents all) {
    Holds holds = new Holds(stage::counts);
    Base base = new Base(empty, observer::affected);
    Wishes wishes = new Wishes(base::get);
    Convictions convictions = new Convictions(base, wishes, holds, time, observer, sanitise);
    IncidentLog incidents = new IncidentLog(all, time, observer::incident);
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
        new Attribution(base, incidents, options, sanitise),
        new Intake(base, wishes, convictions),
        new Desired(base, wishes, holds));
  }
}
