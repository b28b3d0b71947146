// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStoreException;
import dev.holdfast.config.contract.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever has happened to a file, the message says which file, what, and what to do. */
class DamagedFileTest {
  private static final int PAGE = 4_096;
  private static final int SEEDS = 150;

  @TempDir private Path directory;
  private final Map<StateStoreException.Kind, Integer> kinds =
      new EnumMap<>(StateStoreException.Kind.class);

  @Test
  void bytesThatAreNotTheirOwn() throws IOException {
    byte[] good = good();
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      byte[] bad = good.clone();
      int from = random.nextInt(bad.length);
      int length = 1 + random.nextInt(random.nextBoolean() ? 8 : 2 * PAGE);
      byte[] noise = new byte[Math.min(length, bad.length - from)];
      random.nextBytes(noise);
      System.arraycopy(noise, 0, bad, from, noise.length);
      open(seed, bad);
    }
    assertThat(kinds).containsKey(StateStoreException.Kind.DAMAGED);
  }

  @Test
  void pagesThatAreEmptyOrAtAnotherPlace() throws IOException {
    byte[] good = good();
    int pages = good.length / PAGE;
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      byte[] bad = good.clone();
      int page = random.nextInt(pages);
      if (random.nextBoolean()) {
        Arrays.fill(bad, page * PAGE, (page + 1) * PAGE, (byte) 0);
      } else {
        System.arraycopy(good, random.nextInt(pages) * PAGE, bad, page * PAGE, PAGE);
      }
      open(seed, bad);
    }
    assertThat(kinds).containsKey(StateStoreException.Kind.DAMAGED);
  }

  @Test
  void filesThatAreCutOff() throws IOException {
    byte[] good = good();
    for (int seed = 0; seed < SEEDS; seed++) {
      open(seed, Arrays.copyOf(good, 1 + new Random(seed).nextInt(good.length - 1)));
    }
    assertThat(kinds).containsKey(StateStoreException.Kind.DAMAGED);
  }

  private byte[] good() throws IOException {
    Path file = directory.resolve("good.db");
    try (SqliteStateStore store = SqliteStateStore.open(file)) {
      StateChange.Builder change = StateChange.builder();
      for (int i = 0; i < 100; i++) {
        change.putAccepted(Samples.accepted(Samples.key("o" + i), 1));
        change.putStatus(Samples.key("o" + i), Samples.status(1, "x"));
        change.append(Samples.happened("h" + i));
      }
      store.commit(change.build());
    }
    return Files.readAllBytes(file);
  }

  /** Does all that a server does when it starts, and a write. */
  private void open(int seed, byte[] content) throws IOException {
    Path file = Files.write(directory.resolve(seed + ".db"), content);
    try (SqliteStateStore store = SqliteStateStore.open(file)) {
      store.load();
      store.history(HistoryQuery.newest(1_000));
      store.commit(StateChange.builder().append(Samples.happened("later")).build());
    } catch (StateStoreException e) {
      kinds.merge(e.kind(), 1, Integer::sum);
      assertThat(e.getMessage())
          .as("seed %s", seed)
          .startsWith("state file " + file.toRealPath() + ": ")
          .endsWith(")")
          .doesNotContain("\n");
      assertThat(e.kind())
          .as("seed %s: %s", seed, e.getMessage())
          .isIn(
              StateStoreException.Kind.DAMAGED,
              StateStoreException.Kind.FOREIGN,
              StateStoreException.Kind.TOO_NEW);
    }
    for (String suffix : new String[] {"", "-wal", "-shm", "-journal", ".lock"}) {
      Files.deleteIfExists(directory.resolve(seed + ".db" + suffix));
    }
  }
}
