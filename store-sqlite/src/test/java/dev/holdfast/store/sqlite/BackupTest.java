// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import static dev.holdfast.config.contract.Samples.NOW;
import static dev.holdfast.config.contract.Samples.accepted;
import static dev.holdfast.config.contract.Samples.happened;
import static dev.holdfast.config.contract.Samples.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.Generations.Generation;
import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StoredState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.JDBC;

/** What docs/state.md says of copies. */
class BackupTest {
  @TempDir private Path directory;

  @Test
  void aStateIsCopiedWhileItIsInUse() throws Exception {
    Path file = directory.resolve("state.db");
    Path copy = directory.resolve("copy.db");
    StoredState state;
    try (SqliteStateStore store = SqliteStateStore.open(file)) {
      write(store);
      state = store.load();
      try (Connection other = JDBC.createConnection("jdbc:sqlite:" + file, new Properties());
          Statement statement = other.createStatement()) {
        statement.execute("VACUUM INTO '" + copy + "'");
      }
      store.commit(StateChange.builder().append(happened("after the copy")).build());
    }

    assertIsThere(copy, state);
  }

  @Test
  void aStateIsMovedOnceItIsClosed() throws Exception {
    Path file = directory.resolve("state.db");
    StoredState state;
    try (SqliteStateStore store = SqliteStateStore.open(file)) {
      write(store);
      state = store.load();
    }
    assertThat(directory.resolve("state.db-wal")).doesNotExist();

    assertIsThere(Files.move(file, directory.resolve("moved.db")), state);
  }

  private static void write(SqliteStateStore store) {
    store.generations().assign(Map.of(key("a"), "digest"), NOW);
    store.commit(
        StateChange.builder()
            .putAccepted(accepted(key("a"), 1))
            .append(happened("before the copy"))
            .build());
  }

  private static void assertIsThere(Path file, StoredState state) {
    try (SqliteStateStore store = SqliteStateStore.open(file)) {
      assertThat(store.load()).isEqualTo(state);
      assertThat(store.history(HistoryQuery.newest(9)))
          .containsExactly(happened("before the copy").withId(1));
      assertThat(store.generations().assign(Map.of(key("a"), "other"), NOW))
          .containsEntry(key("a"), new Generation(2, "other", NOW));
    }
  }
}
