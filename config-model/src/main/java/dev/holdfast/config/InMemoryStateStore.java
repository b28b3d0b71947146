// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** See {@link StateStore#inMemory}. */
final class InMemoryStateStore implements StateStore {
  private final Generations generations = Generations.inMemory();
  private final int historyLimit;

  // Guarded by this.
  private final SortedMap<ObjectKey, AcceptedSpec> accepted = new TreeMap<>();
  private final SortedMap<ClassSpec.Key, ClassSpec> byClass = new TreeMap<>();
  private final SortedMap<String, Instant> classes = new TreeMap<>();
  private final SortedMap<Rejection.Key, Rejection> rejections = new TreeMap<>();
  private final SortedMap<ObjectKey, StoredStatus> statuses = new TreeMap<>();
  private final SortedMap<Holder, String> held = new TreeMap<>();
  private final Deque<HistoryEntry> history = new ArrayDeque<>();
  private long lastId;
  private boolean closed;

  InMemoryStateStore(int historyLimit) {
    this.historyLimit = historyLimit;
  }

  @Override
  public Generations generations() {
    return new Generations() {
      @Override
      public Map<ObjectKey, Generation> assign(
          Map<ObjectKey, String> digests, Map<ObjectKey, Long> counted, Instant now) {
        return InMemoryStateStore.this.assign(digests, counted, now);
      }

      @Override
      public Map<ObjectKey, Generation> known(Set<ObjectKey> keys) {
        return InMemoryStateStore.this.known(keys);
      }
    };
  }

  private synchronized Map<ObjectKey, Generations.Generation> known(Set<ObjectKey> keys) {
    checkOpen();
    return generations.known(keys);
  }

  private synchronized Map<ObjectKey, Generations.Generation> assign(
      Map<ObjectKey, String> digests, Map<ObjectKey, Long> counted, Instant now) {
    checkOpen();
    return generations.assign(digests, counted, now);
  }

  @Override
  public synchronized StoredState load() {
    checkOpen();
    return new StoredState(accepted, byClass, classes, rejections, statuses, held);
  }

  @Override
  public synchronized void commit(StateChange change) {
    checkOpen();
    change.accepted().applyTo(accepted);
    change.byClass().applyTo(byClass);
    change.classes().applyTo(classes);
    change.rejections().applyTo(rejections);
    change.statuses().applyTo(statuses);
    change.held().applyTo(held);
    for (HistoryEntry entry : change.history()) {
      lastId++;
      history.addFirst(entry.withId(lastId));
      if (history.size() > historyLimit) {
        history.removeLast();
      }
    }
  }

  @Override
  public synchronized List<HistoryEntry> history(HistoryQuery query) {
    checkOpen();
    List<HistoryEntry> found = new ArrayList<>();
    Iterator<HistoryEntry> entries = history.iterator();
    while (entries.hasNext() && found.size() < query.limit()) {
      HistoryEntry entry = entries.next();
      boolean asked = query.object() == null || query.object().equals(entry.object());
      if (asked && entry.id() < query.beforeId()) {
        found.add(entry);
      }
    }
    return List.copyOf(found);
  }

  @Override
  public synchronized void close() {
    closed = true;
  }

  private void checkOpen() {
    if (closed) {
      throw new StateStoreException(
          StateStoreException.Kind.CLOSED, "state: closed (expected: an open store)");
    }
  }
}
