// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import static dev.holdfast.config.StateStoreException.Kind.FULL;
import static dev.holdfast.config.StateStoreException.Kind.MOVED;
import static dev.holdfast.config.StateStoreException.Kind.UNUSABLE;
import static dev.holdfast.config.contract.Samples.NOW;
import static dev.holdfast.config.contract.Samples.accepted;
import static dev.holdfast.config.contract.Samples.happened;
import static dev.holdfast.config.contract.Samples.key;
import static dev.holdfast.config.contract.Samples.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StoredState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A change that cannot be written leaves no trace, and the store goes on. */
class FailingCommitTest {
  private final Path directory;
  private final Path file;
  private final SqliteStateStore store;

  FailingCommitTest(@TempDir Path directory) {
    this.directory = directory;
    file = directory.resolve("state.db");
    store = SqliteStateStore.open(file);
  }

  @BeforeEach
  void somethingIsThere() {
    store.commit(
        StateChange.builder()
            .putAccepted(accepted(key("a"), 1))
            .putStatus(key("a"), status(1, "x"))
            .append(happened("first"))
            .build());
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void aFullDiskChangesNothingUntilThereIsRoom() throws SQLException {
    StoredState before = store.load();
    pragma("max_page_count = 1");

    assertThat(Thrown.message(FULL, () -> store.commit(large())))
        .isEqualTo(
            "state file %s: no space left while committing; nothing was changed (make room on its"
                + " disk)",
            file);
    Thrown.message(FULL, () -> store.generations().assign(many(), NOW));
    assertThat(store.load()).isEqualTo(before);
    assertThat(store.history(HistoryQuery.newest(9))).hasSize(1);

    pragma("max_page_count = 1000000");
    assertGoesOn();
  }

  @Test
  void aFileThatBecameReadOnlyChangesNothingUntilItIsWritableAgain() throws SQLException {
    StoredState before = store.load();
    pragma("query_only = ON");

    assertThat(Thrown.message(UNUSABLE, () -> store.commit(large())))
        .contains("cannot be written to while committing; nothing was changed");
    assertThat(store.load()).isEqualTo(before);

    pragma("query_only = OFF");
    assertGoesOn();
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aFileThatIsNoLongerThereTakesNoWrites() throws IOException {
    Path away = directory.resolve("away.db");
    Files.move(file, away);

    assertThat(Thrown.message(MOVED, () -> store.commit(large())))
        .isEqualTo(
            "state file %s: moved, deleted or replaced while in use (put it back, or restart to go"
                + " on with what is there)",
            file);
    Files.writeString(file, "another");
    Thrown.message(MOVED, () -> store.generations().assign(many(), NOW));

    Files.move(away, file, StandardCopyOption.REPLACE_EXISTING);
    assertGoesOn();
  }

  private void assertGoesOn() {
    store.commit(large());
    assertThat(store.load().accepted()).hasSize(1_001);
    assertThat(store.history(HistoryQuery.newest(9))).hasSize(2);
    assertThat(store.generations().assign(many(), NOW))
        .allSatisfy((key, generation) -> assertThat(generation.number()).isEqualTo(1));
  }

  /** The part that fails comes last, when the rest was written. */
  private static StateChange large() {
    StateChange.Builder change =
        StateChange.builder().putStatus(key("a"), status(2, "y")).append(happened("second"));
    for (int i = 0; i < 1_000; i++) {
      change.putAccepted(accepted(key("o" + i), 1));
    }
    return change.build();
  }

  private static SortedMap<ObjectKey, String> many() {
    SortedMap<ObjectKey, String> digests = new TreeMap<>();
    for (int i = 0; i < 5_000; i++) {
      digests.put(key("g" + i), "digest");
    }
    return digests;
  }

  private void pragma(String pragma) throws SQLException {
    store.database().execute("PRAGMA " + pragma);
  }
}
