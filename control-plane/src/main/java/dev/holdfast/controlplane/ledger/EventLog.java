// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ledger;

import dev.holdfast.config.HistoryEntry;
import dev.holdfast.controlplane.report.Event;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Tells those who watch. Events are handed over on the loop; watchers come and go as they like. */
public final class EventLog {
  private final AtomicLong tickets = new AtomicLong();
  private final Map<Long, Consumer<Event>> watchers = new ConcurrentSkipListMap<>();
  private long last;

  public AutoCloseable watch(Consumer<Event> watcher) {
    long ticket = tickets.incrementAndGet();
    watchers.put(ticket, watcher);
    return () -> watchers.remove(ticket);
  }

  /** Something happened. */
  public void tell(HistoryEntry entry) {
    tell(
        new Event(
            ++last,
            entry.at(),
            entry.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'),
            entry.object(),
            entry.generation(),
            entry.resource(),
            entry.proxy(),
            entry.message()));
  }

  private void tell(Event event) {
    for (Consumer<Event> watcher : watchers.values()) {
      watcher.accept(event);
    }
  }
}
