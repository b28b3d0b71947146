// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.StateStore;
import dev.holdfast.controlplane.rollout.search.Incident;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Stores incidents as history entries and reads them back. The first line of an entry's message is
 * a summary for people, the second line is the encoded incident.
 */
public final class IncidentHistory {
  private static final HistoryEntry.Kind KIND = new HistoryEntry.Kind("INCIDENT");
  private static final int MAX_INCIDENTS = 200;

  /** Small enough that a page fits into memory, however long its messages are. */
  private static final int PAGE_SIZE = 100;

  /** Older incidents are still in the history, but are not loaded. */
  private static final int MAX_PAGES = 100;

  private IncidentHistory() {}

  static HistoryEntry entry(Incident incident, Duration took, Instant now) {
    String offending =
        incident.offendingObjects().stream()
            .map(Object::toString)
            .collect(Collectors.joining(", "));
    String summary =
        incident.changes()
            + (incident.changes() == 1 ? " change, " : " changes, ")
            + incident.pushes()
            + (incident.pushes() == 1 ? " push, " : " pushes, ")
            + (offending.isEmpty() ? "no offending object" : "caused by " + offending)
            + ": "
            + incident.message();
    return HistoryEntry.of(now, KIND)
        .withResource(incident.resource().toString())
        .withMessage(summary + "\n" + IncidentCodec.of(incident))
        .withTook(took);
  }

  /** The readable part of an entry's message. */
  public static String summary(HistoryEntry entry) {
    int end = entry.message().indexOf('\n');
    return end < 0 || !entry.kind().equals(KIND)
        ? entry.message()
        : entry.message().substring(0, end);
  }

  /** The latest incidents, newest first. */
  static List<Incident> read(StateStore store) {
    List<Incident> incidents = new ArrayList<>();
    HistoryQuery query = HistoryQuery.newest(PAGE_SIZE);
    for (int page = 0; page < MAX_PAGES && incidents.size() < MAX_INCIDENTS; page++) {
      List<HistoryEntry> entries = store.history(query);
      for (HistoryEntry entry : entries) {
        Incident incident = incident(entry);
        if (incident != null && incidents.size() < MAX_INCIDENTS) {
          incidents.add(incident);
        }
      }
      if (entries.size() < PAGE_SIZE) {
        break;
      }
      query = query.before(entries.get(entries.size() - 1).id());
    }
    return incidents;
  }

  private static @Nullable Incident incident(HistoryEntry entry) {
    int end = entry.message().indexOf('\n');
    return end < 0 || !entry.kind().equals(KIND)
        ? null
        : IncidentCodec.parse(entry.message().substring(end + 1));
  }
}
