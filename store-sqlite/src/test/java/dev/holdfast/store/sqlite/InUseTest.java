// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import static dev.holdfast.config.StateStoreException.Kind.FOREIGN;
import static dev.holdfast.config.StateStoreException.Kind.IN_USE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.StateChange;
import dev.holdfast.config.contract.Samples;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A state is one process's at a time. */
class InUseTest {
  @TempDir private Path directory;

  @Test
  void anotherProcessIsTurnedAwayByNameAndLetInAfterAKill() throws Exception {
    Path file = directory.resolve("state.db");
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Djava.io.tmpdir=" + directory,
                Holder.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(other.getInputStream(), StandardCharsets.US_ASCII))) {
      assertThat(out.readLine()).isEqualTo("open");

      for (int i = 0; i < 2; i++) {
        assertThat(Thrown.message(IN_USE, () -> SqliteStateStore.open(file)))
            .isEqualTo(
                "state file %s: in use by another holdfast, process %d (stop it, or choose"
                    + " another file)",
                file, other.pid());
      }
    } finally {
      other.destroyForcibly().waitFor();
    }

    SqliteStateStore.open(file).close();
  }

  @Test
  void aSecondStoreOfTheSameProcessIsTurnedAwayAndTheFirstKeepsItsLock() throws Exception {
    Path file = directory.resolve("state.db");
    try (SqliteStateStore first = SqliteStateStore.open(file)) {
      assertThat(Thrown.message(IN_USE, () -> SqliteStateStore.open(file)))
          .contains("in use by this process");

      assertThat(openElsewhere(file)).isNotZero();
      first.commit(StateChange.builder().append(Samples.happened("x")).build());
    }
    assertThat(openElsewhere(file)).isZero();
  }

  @Test
  void closingTwiceDoesNotLetGoOfWhatTheNextOneHolds() {
    Path file = directory.resolve("state.db");
    SqliteStateStore first = SqliteStateStore.open(file);
    first.close();
    try (SqliteStateStore second = SqliteStateStore.open(file)) {
      first.close();

      Thrown.message(IN_USE, () -> SqliteStateStore.open(file));
      assertThat(second.load().accepted()).isEmpty();
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void anotherNameOfTheFileIsTheSameFile() throws IOException {
    Path file = directory.resolve("state.db");
    try (SqliteStateStore store = SqliteStateStore.open(file)) {
      Path link = Files.createSymbolicLink(directory.resolve("link.db"), file);
      Path around = directory.resolve("x/../state.db");
      Files.createDirectory(directory.resolve("x"));

      Thrown.message(IN_USE, () -> SqliteStateStore.open(link));
      Thrown.message(IN_USE, () -> SqliteStateStore.open(around));
      assertThat(store.load().accepted()).isEmpty();
    }
  }

  @Test
  void aStoreThatCouldNotBeOpenedLeavesNoLock() throws IOException {
    Path file = Files.writeString(directory.resolve("state.db"), "something else");
    Thrown.message(FOREIGN, () -> SqliteStateStore.open(file));
    Files.delete(file);

    SqliteStateStore.open(file).close();
  }

  private static int openElsewhere(Path file) throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Holder.class.getName(),
            file.toString(),
            "and leave")
        .start()
        .waitFor();
  }

  /** Another process that has a state, until it is killed or told to leave. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] args) throws IOException {
      try (SqliteStateStore store = SqliteStateStore.open(Path.of(args[0]))) {
        System.out.println(store.load().accepted().isEmpty() ? "open" : "not empty");
        System.out.flush();
        if (args.length == 1) {
          System.in.read();
        }
      }
    }
  }
}
