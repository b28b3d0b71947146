// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import static dev.holdfast.config.StateStoreException.Kind.FAILED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ClassSpec;
import dev.holdfast.config.Holder;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.contract.Samples;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A state of an older version is brought to today's format, in one step or not at all. */
class SchemaTest {
  private final SqliteStateStore store;

  SchemaTest(@TempDir Path directory) {
    store = SqliteStateStore.open(directory.resolve("state.db"));
    store.commit(StateChange.builder().putAccepted(Samples.accepted(Samples.key("a"), 1)).build());
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void onlyTheStepsThatAreMissingAreTaken() throws Exception {
    next("ALTER TABLE statuses ADD COLUMN more TEXT").bring(store.database());
    next("ALTER TABLE statuses ADD COLUMN more TEXT").bring(store.database());

    assertThat(version()).isEqualTo(Schema.CURRENT.steps().size() + 1);
    assertThat(store.load().accepted()).containsOnlyKeys(Samples.key("a"));
  }

  @Test
  void aFileOfTheFirstFormatGetsTheTablesOfClassesAndKeepsTheRest() throws Exception {
    Schema first = new Schema(Schema.CURRENT.steps().subList(0, 1));
    store.database().execute("DROP TABLE accepted_by_class");
    store.database().execute("DROP TABLE classes");
    store.database().execute("DROP TABLE held");
    store.database().execute("PRAGMA user_version = 1");
    first.bring(store.database());

    Schema.CURRENT.bring(store.database());
    store.commit(
        StateChange.builder()
            .putByClass(new ClassSpec("x", Samples.key("a"), null))
            .putClass("x", Samples.NOW)
            .build());

    assertThat(version()).isEqualTo(Schema.CURRENT.steps().size());
    assertThat(store.load().accepted()).containsOnlyKeys(Samples.key("a"));
    assertThat(store.load().byClass()).hasSize(1);
    assertThat(store.load().classes()).containsOnlyKeys("x");
  }

  @Test
  void aFileOfTheSecondFormatGetsTheTableOfWhatIsHeldAndKeepsTheRest() throws Exception {
    store.commit(StateChange.builder().putClass("x", Samples.NOW).build());
    store.database().execute("DROP TABLE held");
    store.database().execute("PRAGMA user_version = 2");

    Schema.CURRENT.bring(store.database());
    Holder holder = new Holder("envoy-1", "type/Secret");
    store.commit(StateChange.builder().putHeld(holder, "a-1").build());

    assertThat(version()).isEqualTo(Schema.CURRENT.steps().size());
    assertThat(store.load().classes()).containsOnlyKeys("x");
    assertThat(store.load().held()).containsOnlyKeys(holder);
  }

  @Test
  void aStepThatFailsLeavesTheFileAsItWas() throws Exception {
    Thrown.message(
        FAILED,
        () -> next("DELETE FROM accepted", "ALTER TABLE nothing ADD x").bring(store.database()));

    assertThat(version()).isEqualTo(Schema.CURRENT.steps().size());
    assertThat(store.load().accepted()).containsOnlyKeys(Samples.key("a"));
  }

  @Test
  void theFileSaysWhoseItIsAndIsWrittenDurably() throws Exception {
    assertThat(number("PRAGMA application_id")).isEqualTo(StateFile.APPLICATION_ID);
    assertThat(number("PRAGMA synchronous")).as("FULL").isEqualTo(2);
    assertThat(store.database().query("PRAGMA journal_mode", row -> row.getString(1)))
        .containsExactly("wal");
  }

  private static Schema next(String... statements) {
    List<List<String>> steps = new ArrayList<>(Schema.CURRENT.steps());
    steps.add(List.of(statements));
    return new Schema(steps);
  }

  private int version() throws Exception {
    return number("PRAGMA user_version");
  }

  private int number(String sql) throws Exception {
    return store.database().query(sql, row -> row.getInt(1)).get(0);
  }
}
