// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStore;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.search.Incident;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Incidents survive a restart in the history. */
class IncidentHistoryTest {
  private static final Instant AT = Instant.parse("2026-01-02T03:04:05.678901Z");
  private static final ResourceId ROUTES = new ResourceId(ResourceType.ROUTES, "ingress_http");
  private static final ObjectKey WEB = new ObjectKey("HTTPProxy", "shop", "web");

  private final StateStore store = StateStore.inMemory();

  private static Incident incident(long id) {
    return new Incident(
        id,
        AT,
        "envoy 1.39.0 ext-1 a",
        ROUTES,
        "script load error: [string \"...\"]\u2028",
        20,
        2,
        List.of(
            new Incident.Push(Duration.ZERO, 20, List.of("e1", "e2"), Incident.Answer.REFUSED),
            new Incident.Push(
                Duration.ofNanos(1_234_567), 10, List.of("e1"), Incident.Answer.ACCEPTED)),
        List.of("refused with 20 changes", WEB + " caused the rejection"),
        List.of(
            new Incident.Offender(
                WEB,
                7,
                new Evidence("envoy 1.39.0 ext-1 a", "envoy 1.39.0", ROUTES, "d1", "no", AT))),
        Duration.ofMillis(81));
  }

  private void append(HistoryEntry entry) {
    store.commit(StateChange.builder().append(entry).build());
  }

  private void append(Incident incident) {
    append(IncidentHistory.entry(incident, Duration.ofMillis(81), AT));
  }

  @Test
  void incidentsAreReadBackNewestFirst() {
    append(incident(1));
    append(HistoryEntry.of(AT, HistoryEntry.Kind.SERVER_STOPPED).withMessage("a\nb"));
    append(incident(2));

    assertThat(IncidentHistory.read(store)).containsExactly(incident(2), incident(1));
  }

  @Test
  void summaryIsOneLine() {
    append(incident(1));

    HistoryEntry entry = store.history(HistoryQuery.newest(1)).get(0);
    assertThat(IncidentHistory.summary(entry))
        .isEqualTo(
            "20 changes, 2 pushes, to blame: HTTPProxy/shop/web: script load error: [string"
                + " \"...\"]\u2028");
    assertThat(entry.took()).isEqualTo(Duration.ofMillis(81));
    HistoryEntry other = HistoryEntry.of(AT, HistoryEntry.Kind.REJECTED).withMessage("a\nb");
    assertThat(IncidentHistory.summary(other)).isEqualTo("a\nb");
  }

  @Test
  void unreadableEntriesAreSkipped() {
    HistoryEntry.Kind kind = new HistoryEntry.Kind("INCIDENT");
    append(HistoryEntry.of(AT, kind).withMessage("of an older version"));
    append(HistoryEntry.of(AT, kind).withMessage("cut off\n{\"id\":7,\"at\":"));
    append(HistoryEntry.of(AT, kind).withMessage("of a newer one\n{\"id\":\"seven\"}"));
    append(incident(1));

    assertThat(IncidentHistory.read(store)).containsExactly(incident(1));
  }

  @Test
  void incidentsAreFoundAmongManyOtherEntries() {
    append(incident(1));
    StateChange.Builder noise = StateChange.builder();
    for (int i = 0; i < 2_500; i++) {
      noise.append(HistoryEntry.of(AT, HistoryEntry.Kind.PROXY_CONNECTED));
    }
    store.commit(noise.build());

    assertThat(IncidentHistory.read(store)).containsExactly(incident(1));
  }
}
