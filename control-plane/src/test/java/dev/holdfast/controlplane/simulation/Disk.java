// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Generations;
import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.ObjectStatus;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStore;
import dev.holdfast.config.StoredState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The state, which outlives the process. */
final class Disk implements StateStore {
  private final StateStore store = StateStore.inMemory();
  private final Map<ObjectKey, ObjectStatus> statuses = new HashMap<>();
  private final Map<ObjectKey, Long> accepted = new HashMap<>();
  private Consumer<AcceptedSpec> onAccepted = spec -> {};

  /** Tells somebody what becomes durable as accepted. */
  void onAccepted(Consumer<AcceptedSpec> listener) {
    onAccepted = listener;
  }

  /** What is stored of an object's status; null if nothing is. */
  @Nullable ObjectStatus status(ObjectKey key) {
    return statuses.get(key);
  }

  /** What is stored as accepted. */
  List<ConfigObject> accepted() {
    return store.load().accepted().values().stream().map(AcceptedSpec::object).toList();
  }

  /** The generation of an object that is stored as accepted; 0 if none is. */
  long accepted(ObjectKey key) {
    return accepted.getOrDefault(key, 0L);
  }

  @Override
  public Generations generations() {
    return store.generations();
  }

  @Override
  public StoredState load() {
    return store.load();
  }

  @Override
  public void commit(StateChange change) {
    store.commit(change);
    change.statuses().put().forEach((key, status) -> statuses.put(key, status.status()));
    accepted.keySet().removeAll(change.accepted().removed());
    change.accepted().put().forEach((key, spec) -> accepted.put(key, spec.object().generation()));
    change.accepted().put().values().forEach(onAccepted);
  }

  @Override
  public List<HistoryEntry> history(HistoryQuery query) {
    return store.history(query);
  }

  @Override
  public void close() {
    store.close();
  }
}
