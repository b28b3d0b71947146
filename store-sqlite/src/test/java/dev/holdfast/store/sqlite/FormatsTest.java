// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import static dev.holdfast.config.StateStoreException.Kind.TOO_NEW;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ClassSpec;
import dev.holdfast.config.Generations.Generation;
import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.Holder;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StoredState;
import dev.holdfast.config.ValueText;
import dev.holdfast.config.contract.Samples;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sqlite.JDBC;

/**
 * State files of every format that was ever written, by the programs that wrote them: upgraded,
 * read and written to. A new step of the {@link Schema} needs a file of its format here.
 */
class FormatsTest {
  private static final int NEWEST = Schema.CURRENT.steps().size();
  private static final ObjectKey SHOP = new ObjectKey("HTTPProxy", "default", "shop");
  private static final ObjectKey BAD = new ObjectKey("HTTPProxy", "default", "bad");
  private static final String CLUSTER = "type.googleapis.com/envoy.config.cluster.v3.Cluster";

  @TempDir private Path directory;

  static IntStream formats() {
    return IntStream.rangeClosed(1, NEWEST);
  }

  @ParameterizedTest(name = "format {0}")
  @MethodSource("formats")
  void whatAnOlderVersionStoredIsReadAndWrittenTo(int format) throws Exception {
    Path file = stateOf(format);
    Generation shop;
    try (SqliteStateStore store = SqliteStateStore.open(file)) {
      assertStored(format, store);
      shop = requireNonNull(store.generations().known(Set.of(SHOP)).get(SHOP));
      store.commit(change());
    }
    try (SqliteStateStore store = SqliteStateStore.open(file)) {
      assertThat(store.load().held()).containsKey(new Holder("node-9", CLUSTER));
      assertThat(store.load().byClass()).containsKey(new ClassSpec.Key("other", BAD));
      assertThat(store.history(HistoryQuery.newest(1)).get(0).id()).isEqualTo(3);
      // The same object again is no new generation, another one is the next.
      assertThat(store.generations().assign(Map.of(SHOP, shop.digest()), Samples.NOW).get(SHOP))
          .isEqualTo(shop);
      assertThat(
              requireNonNull(
                      store.generations().assign(Map.of(SHOP, "else"), Samples.NOW).get(SHOP))
                  .number())
          .isEqualTo(3);
    }
  }

  @ParameterizedTest(name = "format {0}")
  @MethodSource("formats")
  void anUpgradedFileHasTheTablesOfANewOne(int format) throws Exception {
    Path upgraded = stateOf(format);
    SqliteStateStore.open(upgraded).close();
    Path made = directory.resolve("new.db");
    SqliteStateStore.open(made).close();

    assertThat(tables(upgraded)).isEqualTo(tables(made)).isNotEmpty();
    assertThat(version(upgraded)).isEqualTo(NEWEST);
  }

  @ParameterizedTest(name = "format {0}")
  @MethodSource("formats")
  void aBackupOfAnOlderFormatIsRestoredInThatFormat(int format) throws Exception {
    Path file = stateOf(format);
    Path backup = directory.resolve("backup.db");
    Path restored = directory.resolve("restored.db");

    StateBackup.write(file, backup, /* mayReplace= */ false);
    StateBackup.restore(backup, restored);

    assertThat(version(restored)).as("for the version that wrote it").isEqualTo(format);
    try (SqliteStateStore store = SqliteStateStore.open(restored)) {
      assertStored(format, store);
    }
  }

  /** A downgrade: the program of today in the place of the older one, the format in the future. */
  @Test
  void aFileOfANewerFormatIsRefusedAndNotTouched() throws Exception {
    Path file = stateOf(NEWEST);
    try (Connection connection = JDBC.createConnection("jdbc:sqlite:" + file, new Properties());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE of_the_future (a TEXT) STRICT");
      statement.execute("PRAGMA user_version = " + (NEWEST + 1));
    }
    byte[] content = Files.readAllBytes(file);

    assertThat(Thrown.message(TOO_NEW, () -> SqliteStateStore.open(file)))
        .isEqualTo(
            "state file %s: written by a newer Holdfast, in format %d (expected: at most %d; run"
                + " that version again, or choose another file)",
            file, NEWEST + 1, NEWEST);
    assertThat(file).hasBinaryContent(content);
  }

  private static void assertStored(int format, SqliteStateStore store) {
    StoredState state = store.load();
    assertThat(state.accepted()).containsOnlyKeys(SHOP, BAD);
    assertThat(ValueText.of(requireNonNull(state.accepted().get(SHOP)).object().body()))
        .isEqualTo(
            "{\"spec\":{\"virtualhost\":{\"fqdn\":\"shop.example\"},"
                + "\"routes\":[{\"services\":[{\"name\":\"shop\"}]}]}}");
    assertThat(requireNonNull(state.accepted().get(SHOP)).object().generation()).isEqualTo(2);
    assertThat(state.rejections().values())
        .singleElement()
        .satisfies(
            rejection -> {
              assertThat(rejection.message()).isEqualTo("no healthy");
              assertThat(rejection.at()).isEqualTo(Samples.NOW);
            });
    assertThat(requireNonNull(state.statuses().get(SHOP)).status().conditions())
        .containsOnlyKeys("Programmed", "Valid");
    assertThat(store.history(HistoryQuery.newest(10)).stream().map(HistoryEntry::kind).toList())
        .containsExactly(HistoryEntry.Kind.REJECTED, HistoryEntry.Kind.PROGRAMMED);
    assertThat(state.classes().keySet()).isEqualTo(format < 2 ? Set.of() : Set.of("envoy/1.30"));
    assertThat(state.byClass()).hasSize(format < 2 ? 0 : 1);
    assertThat(state.held()).hasSize(format < 3 ? 0 : 1);
  }

  private static StateChange change() {
    return StateChange.builder()
        .putAccepted(Samples.accepted(Samples.key("a"), 1))
        .putByClass(new ClassSpec("other", BAD, null))
        .putClass("other", Samples.NOW)
        .putHeld(new Holder("node-9", CLUSTER), "v1")
        .putRejection(Samples.rejection("x", "1", "no"))
        .putStatus(BAD, Samples.status(1, "pending"))
        .append(Samples.happened("x"))
        .build();
  }

  private Path stateOf(int format) throws Exception {
    String name = "format-" + format + ".sql";
    Path file = directory.resolve("state.db");
    try (InputStream in = requireNonNull(FormatsTest.class.getResourceAsStream(name), name);
        Connection connection = JDBC.createConnection("jdbc:sqlite:" + file, new Properties());
        Statement statement = connection.createStatement()) {
      // No value of these files has a semicolon.
      for (String sql : new String(in.readAllBytes(), UTF_8).split(";", -1)) {
        if (!sql.isBlank()) {
          statement.execute(sql);
        }
      }
    }
    return file;
  }

  private static SortedMap<String, String> tables(Path file) throws Exception {
    SortedMap<String, String> tables = new TreeMap<>();
    try (Connection connection = JDBC.createConnection("jdbc:sqlite:" + file, new Properties());
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")) {
      while (rows.next()) {
        tables.put(rows.getString(1), rows.getString(2).replaceAll("\\s+", " ").strip());
      }
    }
    return tables;
  }

  private static int version(Path file) throws Exception {
    try (Connection connection = JDBC.createConnection("jdbc:sqlite:" + file, new Properties());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("PRAGMA user_version")) {
      return row.next() ? row.getInt(1) : 0;
    }
  }
}
