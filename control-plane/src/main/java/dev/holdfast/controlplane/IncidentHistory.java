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
 * Incidents as entries of the history: a line for people, and all there is to know in a second one.
 */
public final class IncidentHistory {
  private static final HistoryEntry.Kind KIND = new HistoryEntry.Kind("INCIDENT");
  private static final int MOST = 200;
  private static final int PAGE = 1_000;

  /** Whoever wants to know of older ones looks into the history. */
  private static final int PAGES = 10;

  private IncidentHistory() {}

  static HistoryEntry entry(Incident incident, Duration took, Instant now) {
    String blamed =
        incident.offendingObjects().stream()
            .map(Object::toString)
            .collect(Collectors.joining(", "));
    String summary =
        incident.changes()
            + (incident.changes() == 1 ? " change, " : " changes, ")
            + incident.pushes()
            + (incident.pushes() == 1 ? " push, " : " pushes, ")
            + (blamed.isEmpty() ? "nobody to blame" : "to blame: " + blamed)
            + ": "
            + incident.message();
    return HistoryEntry.of(now, KIND)
        .withResource(incident.resource().toString())
        .withMessage(summary + "\n" + IncidentCodec.of(incident))
        .withTook(took);
  }

  /** What an entry says to people. */
  public static String summary(HistoryEntry entry) {
    int end = entry.message().indexOf('\n');
    return end < 0 || !entry.kind().equals(KIND)
        ? entry.message()
        : entry.message().substring(0, end);
  }

  /** The last ones, newest first. */
  static List<Incident> read(StateStore store) {
    List<Incident> incidents = new ArrayList<>();
    HistoryQuery query = HistoryQuery.newest(PAGE);
    for (int page = 0; page < PAGES && incidents.size() < MOST; page++) {
      List<HistoryEntry> entries = store.history(query);
      for (HistoryEntry entry : entries) {
        Incident incident = incident(entry);
        if (incident != null && incidents.size() < MOST) {
          incidents.add(incident);
        }
      }
      if (entries.size() < PAGE) {
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
