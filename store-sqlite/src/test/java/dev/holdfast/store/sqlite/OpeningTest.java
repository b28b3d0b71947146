// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import static dev.holdfast.config.StateStoreException.Kind.DAMAGED;
import static dev.holdfast.config.StateStoreException.Kind.FOREIGN;
import static dev.holdfast.config.StateStoreException.Kind.TOO_NEW;
import static dev.holdfast.config.StateStoreException.Kind.UNUSABLE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.contract.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.JDBC;

class OpeningTest {
  @TempDir private Path directory;

  @Test
  void anEmptyFileIsTheBeginningOfAState() throws IOException {
    Path file = Files.createFile(directory.resolve("state.db"));

    try (SqliteStateStore store = SqliteStateStore.open(file)) {
      assertThat(store.load().accepted()).isEmpty();
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aNewFileIsForItsOwnerOnly() throws IOException {
    Path file = directory.resolve("state.db");
    try (SqliteStateStore store = SqliteStateStore.open(file)) {
      store.commit(StateChange.builder().append(Samples.happened("x")).build());

      for (String suffix : new String[] {"", "-wal", "-shm"}) {
        Path part = directory.resolve("state.db" + suffix);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(part)))
            .as(suffix)
            .isEqualTo("rw-------");
      }
    }
  }

  @Test
  void anyNameWillDo() throws IOException {
    for (String name : new String[] {"a?b=c&mode=memory", "%41 #ü", ":memory:", "it's"}) {
      Path file = directory.resolve(name);
      try (SqliteStateStore store = SqliteStateStore.open(file)) {
        store.commit(StateChange.builder().append(Samples.happened(name)).build());
      }
      assertThat(file).isNotEmptyFile();
      try (SqliteStateStore store = SqliteStateStore.open(file)) {
        assertThat(store.history(HistoryQuery.newest(2)))
            .containsExactly(Samples.happened(name).withId(1));
      }
    }
  }

  @Test
  void aMissingDirectoryIsNamed() {
    Path file = directory.resolve("no/such/state.db");

    assertThat(Thrown.message(UNUSABLE, () -> SqliteStateStore.open(file)))
        .isEqualTo(
            "state file %s: no such directory: %s (create it, or choose another file)",
            file, file.getParent());
  }

  @Test
  void aDirectoryIsNoFile() {
    assertThat(Thrown.message(UNUSABLE, () -> SqliteStateStore.open(directory)))
        .contains("a directory (expected: a file");
  }

  /** Not even the superuser makes files in /proc. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aDirectoryThatCannotBeWrittenToIsNamed() {
    assertThat(Thrown.message(UNUSABLE, () -> SqliteStateStore.open(Path.of("/proc/state.db"))))
        .startsWith("state file /proc/state.db: ")
        .contains("writable");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aLinkThatLeadsNowhereIsNamed() throws IOException {
    Path link =
        Files.createSymbolicLink(directory.resolve("state.db"), directory.resolve("nothing"));

    assertThat(Thrown.message(UNUSABLE, () -> SqliteStateStore.open(link)))
        .contains("a broken symbolic link");
  }

  @Test
  void aFileOfAnotherKindIsRefusedAndNotTouched() throws IOException {
    byte[] large = new byte[5_000];
    Arrays.fill(large, (byte) 'x');
    for (byte[] content : new byte[][] {"hello".getBytes(US_ASCII), {0}, large}) {
      Path file = Files.write(directory.resolve("state.db"), content);

      assertThat(Thrown.message(FOREIGN, () -> SqliteStateStore.open(file)))
          .isEqualTo(
              "state file %s: it is not a Holdfast state file (choose another file; this one was"
                  + " not changed)",
              file);
      assertThat(file).hasBinaryContent(content);
      assertThat(files()).containsExactly("state.db");
    }
  }

  @Test
  void theDatabaseOfAnotherProgramIsRefusedAndNotTouched() throws Exception {
    for (String mode : new String[] {"DELETE", "WAL"}) {
      Path file = directory.resolve("state.db");
      sql(file, "PRAGMA journal_mode = " + mode, "CREATE TABLE IF NOT EXISTS theirs (a)");
      byte[] content = Files.readAllBytes(file);

      assertThat(Thrown.message(FOREIGN, () -> SqliteStateStore.open(file)))
          .contains("it is the database of another program");
      assertThat(file).hasBinaryContent(content);
      assertThat(files()).containsExactly("state.db");
    }
  }

  @Test
  void aStateOfANewerProgramIsRefused() throws Exception {
    Path file = directory.resolve("state.db");
    SqliteStateStore.open(file).close();
    sql(file, "PRAGMA user_version = 7");

    assertThat(Thrown.message(TOO_NEW, () -> SqliteStateStore.open(file)))
        .isEqualTo(
            "state file %s: written by a newer Holdfast, in format 7 (expected: at most 3; run"
                + " that version again, or choose another file)",
            file);
  }

  @Test
  void aStateThatCannotBeUnderstoodIsCalledDamaged() throws Exception {
    Path file = directory.resolve("state.db");
    try (SqliteStateStore store = SqliteStateStore.open(file)) {
      store.commit(
          StateChange.builder().putAccepted(Samples.accepted(Samples.key("a"), 1)).build());
    }
    sql(file, "UPDATE accepted SET body = '{\"spec\":'");

    try (SqliteStateStore store = SqliteStateStore.open(file)) {
      assertThat(Thrown.message(DAMAGED, store::load))
          .isEqualTo(
              "state file %s: damaged: value: broken at 8 (expected: more) (restore a backup, or"
                  + " move the file away to start with an empty state)",
              file);
      assertThat(store.generations().assign(Map.of(), Samples.NOW)).isEmpty();
    }
  }

  @Test
  void overwrittenPagesAreCalledDamage() throws Exception {
    Path file = directory.resolve("state.db");
    try (SqliteStateStore store = SqliteStateStore.open(file)) {
      StateChange.Builder change = StateChange.builder();
      for (int i = 0; i < 200; i++) {
        change.putAccepted(Samples.accepted(Samples.key("o" + i), 1));
      }
      store.commit(change.build());
    }
    byte[] content = Files.readAllBytes(file);
    Arrays.fill(content, 4_096, content.length, (byte) 0x5a);
    Files.write(file, content);

    assertThat(
            Thrown.message(
                DAMAGED,
                () -> {
                  try (SqliteStateStore store = SqliteStateStore.open(file)) {
                    store.load();
                  }
                }))
        .startsWith("state file " + file + ": damaged: ");
  }

  @Test
  void aHistoryOfNothingIsRefused() {
    assertThatThrownBy(() -> SqliteStateStore.open(directory.resolve("state.db"), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("historyLimit: 0 (expected: from 1)");
  }

  private Stream<String> files() throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(path -> path.getFileName().toString()).toList().stream();
    }
  }

  private static void sql(Path file, String... statements) throws SQLException {
    try (Connection connection = JDBC.createConnection("jdbc:sqlite:" + file, new Properties());
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
