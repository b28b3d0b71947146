// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.CapturedOutput;
import dev.holdfast.store.sqlite.SqliteStateStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of a state as an operator makes them. */
class StateCommandTest {
  private final CapturedOutput captured = new CapturedOutput();
  private @TempDir Path directory;

  private int run(String... words) {
    return captured.run(Map.of("HOME", directory.toString()), words);
  }

  private Path state() throws IOException {
    Path state = directory.resolve("state.db");
    SqliteStateStore.open(state).close();
    return state;
  }

  @Test
  void aCopyIsMadeAndComesBack() throws Exception {
    String state = state().toString();
    String backup = directory.resolve("backup.db").toString();

    assertThat(run("state", "backup", backup, "--state", state)).as(captured.err()).isZero();
    assertThat(captured.out())
        .contains(backup + ": a copy of " + state + ": 0 objects in force, format ");
    assertThat(run("state", "restore", backup, "--state", state)).as(captured.err()).isZero();
    assertThat(captured.out()).contains(state + ": restored from " + backup);
    assertThat(captured.err()).contains("what was there is in " + state + ".before-restore");
    assertThat(Path.of(state + ".before-restore")).exists();
  }

  @Test
  void theStateIsFoundAsTheServerFindsIt() throws Exception {
    Path shop = Files.createDirectory(directory.resolve("shop"));
    Path config = directory.resolve("holdfast.yaml");
    Files.writeString(config, "source: {directory: shop}\nstate: {path: " + state() + "}\n");

    assertThat(
            run(
                "state",
                "backup",
                directory.resolve("a.db").toString(),
                "--config",
                config.toString()))
        .as(captured.err())
        .isZero();
    assertThat(
            run(
                "state",
                "backup",
                directory.resolve("b.db").toString(),
                "--directory",
                shop.toString()))
        .isEqualTo(1);
    assertThat(captured.err())
        .contains(".local/state/holdfast/shop-")
        .contains("no such directory");
  }

  @Test
  void aStateThatIsInNoFileIsBackedUpWithOtherTools() throws Exception {
    Path config = directory.resolve("holdfast.yaml");
    Files.writeString(
        config, "source: {directory: shop}\nstate: {path: \"etcd://127.0.0.1:2379/holdfast\"}\n");
    assertThat(run("state", "backup", "x.db", "--config", config.toString())).isEqualTo(1);
    assertThat(captured.err()).contains("the state is not in a file");
  }

  @Test
  void exactlyOneStateIsMeant() {
    assertThat(run("state", "backup", "x.db")).isEqualTo(2);
    assertThat(captured.err()).contains("expected: one of --state, --directory and --config");
    assertThat(run("state", "restore", "x.db", "--state", "a", "--directory", "b")).isEqualTo(2);
    assertThat(Stream.of("x.db", "a").map(directory::resolve)).noneMatch(Files::exists);
  }
}
