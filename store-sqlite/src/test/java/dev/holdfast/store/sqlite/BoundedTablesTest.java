// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.Rejection;
import dev.holdfast.config.StateChange;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Proxies fill some tables; the file must not grow without end, and must fit into memory. */
class BoundedTablesTest {
  private static final Instant AT = Instant.parse("2026-01-02T03:04:05Z");

  @TempDir Path directory;

  private static Rejection rejection(String node, int number) {
    return new Rejection("class", node, "type", "name", "v" + number, "no", AT);
  }

  @Test
  void theRejectionsOfSingleProxiesArePrunedAndEvidenceStays() {
    try (SqliteStateStore store = SqliteStateStore.open(directory.resolve("state.db"))) {
      store.commit(StateChange.builder().putRejection(rejection("", 0)).build());
      int batches = 3 * RejectionsTable.MOST / 1_000;
      for (int batch = 0; batch < batches; batch++) {
        StateChange.Builder change = StateChange.builder();
        for (int i = 0; i < 1_000; i++) {
          change.putRejection(rejection("node-" + i, batch));
        }
        store.commit(change.build());
      }

      assertThat(store.load().rejections())
          .hasSizeLessThanOrEqualTo(RejectionsTable.MOST + RejectionsTable.MOST / 10 + 1)
          .containsKey(rejection("", 0).key())
          .containsKey(rejection("node-999", batches - 1).key())
          .doesNotContainKey(rejection("node-0", 0).key());
    }
  }

  @Test
  void aLongHistoryEntryIsCut() {
    try (SqliteStateStore store = SqliteStateStore.open(directory.resolve("state.db"))) {
      store.commit(
          StateChange.builder()
              .append(
                  HistoryEntry.of(AT, HistoryEntry.Kind.PROXY_CONNECTED)
                      .withProxy("x".repeat(8 << 20))
                      .withMessage("x".repeat(8 << 20)))
              .build());

      HistoryEntry read = store.history(HistoryQuery.newest(1)).get(0);
      assertThat(read.proxy()).hasSize(HistoryTable.LONGEST_NAME);
      assertThat(read.message()).hasSize(HistoryTable.LONGEST_MESSAGE);
    }
  }

  @Test
  void whatAVersionWithoutLimitsWroteIsReadInPart() {
    try (SqliteStateStore store = SqliteStateStore.open(directory.resolve("state.db"))) {
      for (int i = 0; i < 20; i++) {
        String node = "x".repeat(4 << 20) + i;
        store
            .database()
            .write(
                "filling",
                () -> {
                  store
                      .database()
                      .update(
                          "INSERT INTO history (id, at, kind, generation, resource, proxy, message)"
                              + " VALUES ((SELECT ifnull(max(id), 0) + 1 FROM history), ?,"
                              + " 'PROXY_CONNECTED', 0, '', ?, '')",
                          AT.toString(),
                          node);
                  store
                      .database()
                      .update(
                          "INSERT INTO rejections VALUES ('class', ?, 'type', 'name', 'v', 'no', ?)",
                          node,
                          AT.toString());
                  return node;
                });
      }

      assertThat(store.load().rejections()).isEmpty();
      assertThat(store.history(HistoryQuery.newest(100)))
          .hasSize(20)
          .allSatisfy(entry -> assertThat(entry.proxy()).hasSize(HistoryTable.LONGEST_NAME));
    }
  }
}
