// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ledger;

import dev.holdfast.config.HistoryEntry;
import dev.holdfast.controlplane.report.Event;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Passes events on to watchers. Events are published on the loop; watchers can be added and removed
 * on any thread.
 */
public final class EventLog {
  private final AtomicLong ids = new AtomicLong();
  private final Map<Long, Consumer<Event>> watchers = new ConcurrentSkipListMap<>();
  private long lastId;

  public AutoCloseable watch(Consumer<Event> watcher) {
    long id = ids.incrementAndGet();
    watchers.put(id, watcher);
    return () -> watchers.remove(id);
  }

  /** Passes a history entry on to all watchers. */
  public void publish(HistoryEntry entry) {
    publish(
        new Event(
            ++lastId,
            entry.at(),
            entry.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'),
            entry.object(),
            entry.generation(),
            entry.resource(),
            entry.proxy(),
            entry.message()));
  }

  private void publish(Event event) {
    for (Consumer<Event> watcher : watchers.values()) {
      watcher.accept(event);
    }
  }
}
