// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** See {@link StateStore#inMemory}. */
final class InMemoryStateStore implements StateStore {
  private final Generations generations = Generations.inMemory();

  // Guarded by this.
  private final StateMemory memory;
  private boolean closed;

  InMemoryStateStore(int historyLimit) {
    memory = new StateMemory(historyLimit);
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
    return memory.load();
  }

  @Override
  public synchronized void commit(StateChange change) {
    checkOpen();
    memory.apply(change, memory.historyId());
  }

  @Override
  public synchronized List<HistoryEntry> history(HistoryQuery query) {
    checkOpen();
    return memory.history(query);
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
