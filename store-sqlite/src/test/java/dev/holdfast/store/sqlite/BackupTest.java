// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import static dev.holdfast.config.contract.Samples.NOW;
import static dev.holdfast.config.contract.Samples.accepted;
import static dev.holdfast.config.contract.Samples.happened;
import static dev.holdfast.config.contract.Samples.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.config.Generations.Generation;
import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStoreException;
import dev.holdfast.config.StoredState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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

  @Test
  void aBackupIsMadeWhileTheStateIsInUseAndOnlyItsOwnerCanReadIt() throws Exception {
    Path file = directory.resolve("state.db");
    Path backup = directory.resolve("backup.db");
    StoredState state;
    StateBackup.Summary summary;
    try (SqliteStateStore store = SqliteStateStore.open(file)) {
      write(store);
      state = store.load();
      summary = StateBackup.write(file, backup, /* mayReplace= */ false);
      store.commit(StateChange.builder().append(happened("after the copy")).build());
      assertThat(store.history(HistoryQuery.newest(9))).hasSize(2);
    }

    assertThat(summary.objects()).isEqualTo(1);
    assertThat(summary.newest()).isEqualTo(happened("any").at());
    assertThat(Files.getPosixFilePermissions(backup))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(directory.resolve("backup.db.unfinished")).doesNotExist();
    assertIsThere(backup, state);
  }

  @Test
  void aBackupReplacesNothingUnlessItMay() throws Exception {
    Path file = directory.resolve("state.db");
    Path backup = directory.resolve("backup.db");
    try (SqliteStateStore store = SqliteStateStore.open(file)) {
      write(store);
    }
    Files.writeString(backup, "something else");

    assertFails(() -> StateBackup.write(file, backup, false), "exists already");
    assertThat(backup).hasContent("something else");
    assertFails(() -> StateBackup.write(file, file, true), "is the state itself");
    assertFails(
        () -> StateBackup.write(directory.resolve("none.db"), backup, true), "no such file");
    assertThat(StateBackup.write(file, backup, true).objects()).isEqualTo(1);
  }

  /** A server that was killed leaves its newest changes beside the file. */
  @Test
  void whatAKilledServerWroteLastIsInTheBackup() throws Exception {
    Path file = directory.resolve("state.db");
    Path killed = Files.createDirectory(directory.resolve("killed")).resolve("state.db");
    StoredState state;
    try (SqliteStateStore store = SqliteStateStore.open(file)) {
      write(store);
      state = store.load();
      for (String part : List.of("", "-wal", "-shm")) {
        Files.copy(Path.of(file + part), Path.of(killed + part));
      }
    }
    Path backup = directory.resolve("backup.db");
    StateBackup.write(killed, backup, false);
    assertIsThere(backup, state);
  }

  @Test
  void aBackupComesBackAndWhatWasThereIsKept() throws Exception {
    Path file = directory.resolve("state.db");
    Path backup = directory.resolve("backup.db");
    StoredState state;
    StoredState later;
    try (SqliteStateStore store = SqliteStateStore.open(file)) {
      write(store);
      state = store.load();
      StateBackup.write(file, backup, false);
      store.commit(StateChange.builder().putAccepted(accepted(key("b"), 1)).build());
      later = store.load();
    }

    assertThat(StateBackup.restore(backup, file).objects()).isEqualTo(1);
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertIsThere(file, state);
    try (SqliteStateStore store = SqliteStateStore.open(Path.of(file + StateBackup.REPLACED))) {
      assertThat(store.load()).isEqualTo(later);
    }
  }

  @Test
  void aBackupComesBackInThePlaceOfADamagedStateOrOfNone() throws Exception {
    Path file = directory.resolve("state.db");
    Path backup = directory.resolve("backup.db");
    StoredState state;
    try (SqliteStateStore store = SqliteStateStore.open(file)) {
      write(store);
      state = store.load();
    }
    StateBackup.write(file, backup, false);
    byte[] damaged = Files.readAllBytes(file);
    Arrays.fill(damaged, 100, damaged.length, (byte) 7);
    Files.write(file, damaged);

    StateBackup.restore(backup, file);
    assertThat(Path.of(file + StateBackup.REPLACED)).hasBinaryContent(damaged);
    Path other = directory.resolve("other.db");
    StateBackup.restore(backup, other);
    assertIsThere(file, state);
    assertIsThere(other, state);
  }

  @Test
  void nothingIsRestoredOverAStateInUseOrFromWhatIsNoBackup() throws Exception {
    Path file = directory.resolve("state.db");
    Path backup = directory.resolve("backup.db");
    Path text = Files.writeString(directory.resolve("notes.txt"), "no state".repeat(100));
    Path cut = directory.resolve("cut.db");
    StoredState state;
    try (SqliteStateStore store = SqliteStateStore.open(file)) {
      write(store);
      state = store.load();
      StateBackup.write(file, backup, false);
      assertFails(() -> StateBackup.restore(backup, file), "in use by");
      assertFails(() -> StateBackup.restore(file, directory.resolve("new.db")), "a server uses it");
    }
    byte[] whole = Files.readAllBytes(backup);
    Files.write(cut, Arrays.copyOf(whole, whole.length / 2));
    Path newer = directory.resolve("newer.db");
    Files.write(newer, whole);
    try (Connection connection = JDBC.createConnection("jdbc:sqlite:" + newer, new Properties());
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA user_version = 99");
    }

    assertFails(() -> StateBackup.restore(text, file), "");
    assertFails(() -> StateBackup.restore(cut, file), "");
    assertFails(() -> StateBackup.restore(newer, file), "written by a newer Holdfast");
    assertFails(() -> StateBackup.restore(directory.resolve("none.db"), file), "no such file");
    assertThat(directory.resolve("state.db.unfinished")).doesNotExist();
    assertThat(Path.of(file + StateBackup.REPLACED)).doesNotExist();
    assertIsThere(file, state);
  }

  private static void assertFails(ThrowingCallable action, String message) {
    assertThatThrownBy(action)
        .isInstanceOf(StateStoreException.class)
        .hasMessageContaining(message);
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
