// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** All that is stored but for the generations. Not thread-safe. */
final class StateMemory {
  private final int historyLimit;
  private final SortedMap<ObjectKey, AcceptedSpec> accepted = new TreeMap<>();
  private final SortedMap<ClassSpec.Key, ClassSpec> byClass = new TreeMap<>();
  private final SortedMap<String, Instant> classes = new TreeMap<>();
  private final SortedMap<Rejection.Key, Rejection> rejections = new TreeMap<>();
  private final SortedMap<ObjectKey, StoredStatus> statuses = new TreeMap<>();
  private final SortedMap<Holder, String> held = new TreeMap<>();

  /** Newest first. */
  private final Deque<HistoryEntry> history = new ArrayDeque<>();

  private long historyId;

  StateMemory(int historyLimit) {
    this.historyLimit = historyLimit;
  }

  /** The id of the newest entry of the history. */
  long historyId() {
    return historyId;
  }

  /**
   * @param historyBase the id of the last entry before those of this change
   */
  void apply(StateChange change, long historyBase) {
    change.accepted().applyTo(accepted);
    change.byClass().applyTo(byClass);
    change.classes().applyTo(classes);
    change.rejections().applyTo(rejections);
    change.statuses().applyTo(statuses);
    change.held().applyTo(held);
    historyId = historyBase;
    for (HistoryEntry entry : change.history()) {
      historyId++;
      history.addFirst(entry.withId(historyId));
      if (history.size() > historyLimit) {
        history.removeLast();
      }
    }
  }

  /** A change that leads from nothing to here. */
  StateChange everything() {
    StateChange.Builder all = StateChange.builder();
    accepted.values().forEach(all::putAccepted);
    byClass.values().forEach(all::putByClass);
    classes.forEach(all::putClass);
    rejections.values().forEach(all::putRejection);
    statuses.forEach(all::putStatus);
    held.forEach(all::putHeld);
    Iterator<HistoryEntry> oldestFirst = history.descendingIterator();
    while (oldestFirst.hasNext()) {
      all.append(oldestFirst.next().withId(0));
    }
    return all.build();
  }

  /** The id of the last entry that is not kept any more. */
  long droppedHistoryId() {
    return historyId - history.size();
  }

  StoredState load() {
    return new StoredState(accepted, byClass, classes, rejections, statuses, held);
  }

  List<HistoryEntry> history(HistoryQuery query) {
    List<HistoryEntry> found = new ArrayList<>();
    for (HistoryEntry entry : history) {
      if (found.size() == query.limit()) {
        break;
      }
      boolean isAsked = query.object() == null || query.object().equals(entry.object());
      if (isAsked && entry.id() < query.beforeId()) {
        found.add(entry);
      }
    }
    return List.copyOf(found);
  }
}
