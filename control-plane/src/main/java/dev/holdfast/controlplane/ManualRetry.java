// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Rejection;
import dev.holdfast.controlplane.ads.AdsServer;
import dev.holdfast.controlplane.ledger.EventLog;
import dev.holdfast.controlplane.ledger.Journal;
import dev.holdfast.controlplane.report.RetryReport;
import dev.holdfast.controlplane.report.RetryReport.Outcome;
import dev.holdfast.controlplane.rollout.RolloutManager;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.translate.TranslatedObject;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Retries a held object because an operator asks for it: something may have changed that the
 * control plane cannot see, such as a setting of a proxy. This is the only way in which bytes that
 * a proxy rejected are sent to it again. Loop only.
 */
final class ManualRetry {
  private static final HistoryEntry.Kind RETRIED = new HistoryEntry.Kind("RETRIED");

  private final RolloutManager rollouts;
  private final AdsServer ads;
  private final Journal journal;
  private final EventLog events;
  private final TimeSource time;

  ManualRetry(
      RolloutManager rollouts, AdsServer ads, Journal journal, EventLog events, TimeSource time) {
    this.rollouts = rollouts;
    this.ads = ads;
    this.journal = journal;
    this.events = events;
    this.time = time;
  }

  RetryReport retry(ObjectKey key) {
    if (rollouts.common().desired().objects().get(key) == null) {
      return new RetryReport(Outcome.UNKNOWN, key, 0);
    }
    @Nullable RetryReport report = null;
    for (Rollout rollout : rollouts()) {
      Hold hold = holdToLift(key, rollout);
      if (hold != null) {
        TranslatedObject desired = rollout.desired().objects().get(hold.key());
        long generation = desired == null ? hold.generation() : desired.generation();
        clearRejections(hold, desired);
        if (report == null) {
          record(hold.key(), generation);
          report = new RetryReport(Outcome.STARTED, hold.key(), generation);
        }
      }
    }
    if (report == null) {
      return new RetryReport(Outcome.NOT_HELD, key, 0);
    }
    rollouts.retry(report.object());
    return report;
  }

  private List<Rollout> rollouts() {
    List<Rollout> all = new ArrayList<>(List.of(rollouts.common()));
    all.addAll(rollouts.separate().values());
    return all;
  }

  /**
   * The hold to lift so that the object can be tried: that of the object it depends on, or else its
   * own; null if it is not held.
   */
  private static @Nullable Hold holdToLift(ObjectKey key, Rollout rollout) {
    Hold hold = rollout.hold(key);
    ObjectKey cause =
        hold != null && hold.reason() == Hold.Reason.DEPENDENCY_REJECTED ? hold.cause() : null;
    Hold causeHold = cause == null ? null : rollout.hold(cause);
    return causeHold == null ? hold : causeHold;
  }

  private void clearRejections(Hold hold, @Nullable TranslatedObject desired) {
    SortedSet<ResourceId> resources = new TreeSet<>();
    if (desired != null) {
      desired.footprint().forEach((id, part) -> resources.add(id));
    }
    Evidence evidence = hold.evidence();
    if (evidence != null) {
      resources.add(evidence.resource());
      Rejection.Key key = RolloutRecorder.rejection(evidence).key();
      journal.edit(state -> state.removeRejection(key));
    }
    for (ResourceId id : resources) {
      for (Rejection.Key rejection : ads.forgive(id)) {
        journal.edit(state -> state.removeRejection(rejection));
      }
    }
  }

  private void record(ObjectKey key, long generation) {
    HistoryEntry entry =
        HistoryEntry.of(time.now(), RETRIED).withObject(key, generation).withMessage("by hand");
    journal.edit(state -> state.append(entry));
    journal.whenDurable(() -> events.publish(entry));
  }
}
