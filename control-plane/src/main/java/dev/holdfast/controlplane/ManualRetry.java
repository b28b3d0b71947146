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
 * Has what is held tried again because somebody says so: something may have changed that nobody
 * here can know of, such as the settings of a proxy. It is the only way for bytes that a proxy
 * refused to be sent to it again. Loop only.
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
    for (Rollout rollout : all()) {
      Hold hold = toBlame(key, rollout);
      if (hold != null) {
        TranslatedObject wanted = rollout.desired().objects().get(hold.key());
        long generation = wanted == null ? hold.generation() : wanted.generation();
        forgive(hold, wanted);
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

  private List<Rollout> all() {
    List<Rollout> all = new ArrayList<>(List.of(rollouts.common()));
    all.addAll(rollouts.separate().values());
    return all;
  }

  /** Why an object is held: by itself, or because of the one that it waits for; null if not. */
  private static @Nullable Hold toBlame(ObjectKey key, Rollout rollout) {
    Hold hold = rollout.hold(key);
    ObjectKey cause =
        hold != null && hold.reason() == Hold.Reason.DEPENDENCY_REJECTED ? hold.cause() : null;
    Hold other = cause == null ? null : rollout.hold(cause);
    return other == null ? hold : other;
  }

  private void forgive(Hold hold, @Nullable TranslatedObject wanted) {
    SortedSet<ResourceId> resources = new TreeSet<>();
    if (wanted != null) {
      wanted.footprint().forEach((id, part) -> resources.add(id));
    }
    Evidence certificate = hold.evidence();
    if (certificate != null) {
      resources.add(certificate.resource());
      Rejection.Key evidence = RolloutRecorder.rejection(certificate).key();
      journal.edit(state -> state.removeRejection(evidence));
    }
    for (ResourceId id : resources) {
      for (Rejection.Key refused : ads.forgetRejections(id)) {
        journal.edit(state -> state.removeRejection(refused));
      }
    }
  }

  private void record(ObjectKey key, long generation) {
    HistoryEntry entry =
        HistoryEntry.of(time.now(), RETRIED).withObject(key, generation).withMessage("by hand");
    journal.edit(state -> state.append(entry));
    journal.whenDurable(() -> events.tell(entry));
  }
}
