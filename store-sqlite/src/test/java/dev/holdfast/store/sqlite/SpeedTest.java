// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import static dev.holdfast.config.contract.Samples.NOW;
import static dev.holdfast.config.contract.Samples.accepted;
import static dev.holdfast.config.contract.Samples.happened;
import static dev.holdfast.config.contract.Samples.key;
import static dev.holdfast.config.contract.Samples.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StoredState;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prints how long things take on this machine; asserts only that they were done. */
class SpeedTest {
  private static final int OBJECTS = 10_000;

  private final SqliteStateStore store;

  SpeedTest(@TempDir Path directory) {
    store = SqliteStateStore.open(directory.resolve("state.db"));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void tenThousandGenerationsAtOnce() {
    for (int round = 1; round <= 3; round++) {
      SortedMap<ObjectKey, String> digests = new TreeMap<>();
      for (int i = 0; i < OBJECTS; i++) {
        digests.put(key("o" + i), "digest " + round);
      }
      long start = System.nanoTime();
      int assigned = store.generations().assign(digests, NOW).size();
      print("10,000 generations, round " + round, System.nanoTime() - start);
      assertThat(assigned).isEqualTo(OBJECTS);
    }
  }

  @Test
  void tenThousandObjectsAtOnce() {
    for (int round = 1; round <= 3; round++) {
      StateChange.Builder change = StateChange.builder();
      for (int i = 0; i < OBJECTS; i++) {
        change
            .putAccepted(accepted(key("o" + i), round))
            .putStatus(key("o" + i), status(round, "fine"))
            .append(happened("programmed").withObject(key("o" + i), round));
      }
      StateChange all = change.build();
      long start = System.nanoTime();
      store.commit(all);
      print("10,000 objects, statuses, entries, round " + round, System.nanoTime() - start);
    }
    long start = System.nanoTime();
    StoredState state = store.load();
    print("loading them", System.nanoTime() - start);
    assertThat(state.accepted()).hasSize(OBJECTS);
  }

  @Test
  void oneObjectAtATime() {
    long[] nanos = new long[500];
    for (int i = 0; i < nanos.length; i++) {
      StateChange change =
          StateChange.builder()
              .putAccepted(accepted(key("a"), i + 1))
              .putStatus(key("a"), status(i + 1, "fine"))
              .append(happened("programmed").withObject(key("a"), i + 1))
              .build();
      long start = System.nanoTime();
      store.commit(change);
      nanos[i] = System.nanoTime() - start;
    }
    Arrays.sort(nanos);
    print("one commit, median", nanos[nanos.length / 2]);
    print("one commit, 99 of 100", nanos[nanos.length * 99 / 100]);
    assertThat(store.load().statuses()).containsEntry(key("a"), status(nanos.length, "fine"));
  }

  private static void print(String what, long nanos) {
    System.out.printf("%s: %.2f ms%n", what, nanos / 1e6);
  }
}
