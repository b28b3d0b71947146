// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.Condition;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.StoredState;
import dev.holdfast.controlplane.brake.BrakeDecision;
import dev.holdfast.controlplane.brake.DeletionBrake;
import dev.holdfast.controlplane.brake.WaitingDeletion;
import dev.holdfast.controlplane.ledger.EventLog;
import dev.holdfast.controlplane.ledger.Journal;
import dev.holdfast.controlplane.log.LogArea;
import dev.holdfast.controlplane.report.DeletionsReport;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.status.StatusBoard;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Makes deletions that wait for a confirmation visible: as a condition of each object, in the
 * history, in the log and in the reports. The condition is stored with the object's status, which
 * is how the next process knows what waited. Loop only.
 */
final class DeletionRecorder {
  private static final HistoryEntry.Kind HELD = new HistoryEntry.Kind("DELETION_HELD");
  private static final HistoryEntry.Kind CONFIRMED = new HistoryEntry.Kind("DELETION_CONFIRMED");
  private static final HistoryEntry.Kind UNDONE = new HistoryEntry.Kind("DELETION_UNDONE");

  /** The type of the condition. */
  static final String DELETION = "Deletion";

  private final DeletionBrake brake;
  private final StatusBoard board;
  private final TimeSource time;
  private final Journal journal;
  private final EventLog events;

  DeletionRecorder(
      DeletionBrake brake, StatusBoard board, TimeSource time, Journal journal, EventLog events) {
    this.brake = brake;
    this.board = board;
    this.time = time;
    this.journal = journal;
    this.events = events;
  }

  /** The objects whose deletion waited when the earlier process ended. */
  static SortedSet<ObjectKey> waited(StoredState state) {
    SortedSet<ObjectKey> waited = new TreeSet<>();
    state
        .statuses()
        .forEach(
            (key, stored) -> {
              if (stored.status().condition(DELETION) != null) {
                waited.add(key);
              }
            });
    return waited;
  }

  /** Records a decision whose objects are on the board. */
  void record(BrakeDecision decision) {
    Set<ObjectKey> unseen = brake.unseen();
    for (ObjectKey key : decision.put().keySet()) {
      if (brake.waiting(key) == null && !unseen.contains(key)) {
        board.note(key, DELETION, null);
      }
    }
    decision.undone().forEach(one -> append(UNDONE, one.object(), "the object is back"));
    decision.confirmed().forEach(one -> append(CONFIRMED, one.object(), "by hand"));
    if (!decision.undone().isEmpty()) {
      LogArea.OBJECTS
          .info("deletions-undone")
          .with("objects", decision.undone().size())
          .log(
              decision.undone().size()
                  + " deleted objects are back; "
                  + brake.waiting().size()
                  + " deletions wait for a confirmation");
    }
    if (!decision.confirmed().isEmpty()) {
      LogArea.OBJECTS
          .info("deletions-confirmed")
          .with("objects", decision.confirmed().size())
          .log(decision.confirmed().size() + " deletions were confirmed and apply now");
    }
    if (!decision.held().isEmpty()) {
      held(decision);
    }
  }

  private void held(BrakeDecision decision) {
    String what = decision.lost().size() + " of " + decision.served() + " hosts";
    LogArea.OBJECTS
        .warn("deletions-held")
        .with("objects", decision.held().size())
        .log(
            decision.held().size()
                + " objects are gone from the source, and "
                + what
                + " with them: they are served until somebody confirms the deletion (holdfast"
                + " confirm), or until the objects are back");
    for (WaitingDeletion one : decision.held()) {
      ConfigObject object = one.object();
      String message =
          "deleted together with others, which would remove "
              + what
              + "; served until the deletion is confirmed (holdfast confirm) or the object is back";
      board.note(
          object.key(),
          DELETION,
          new Condition(
              DELETION,
              Condition.Status.FALSE,
              "NotConfirmed",
              message,
              object.generation(),
              time.now()));
      append(HELD, object, message);
    }
  }

  private void append(HistoryEntry.Kind kind, ConfigObject object, String message) {
    HistoryEntry entry =
        HistoryEntry.of(time.now(), kind)
            .withObject(object.key(), object.generation())
            .withMessage(message);
    journal.edit(state -> state.append(entry));
    journal.whenDurable(() -> events.publish(entry));
  }

  DeletionsReport report() {
    Collection<WaitingDeletion> waiting = brake.waiting();
    if (waiting.isEmpty()) {
      return DeletionsReport.NONE;
    }
    List<DeletionsReport.Deletion> items = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (WaitingDeletion one : waiting) {
      ConfigObject object = one.object();
      names.add(object.key() + "@" + object.generation());
      items.add(
          new DeletionsReport.Deletion(
              object.key(), object.generation(), object.body().position().toString(), one.since()));
    }
    return new DeletionsReport(Digests.of(names), List.copyOf(brake.lostHosts()), items);
  }
}
