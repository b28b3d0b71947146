// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.contract;

import static dev.holdfast.config.contract.Samples.NOW;
import static dev.holdfast.config.contract.Samples.accepted;
import static dev.holdfast.config.contract.Samples.happened;
import static dev.holdfast.config.contract.Samples.key;
import static dev.holdfast.config.contract.Samples.rejection;
import static dev.holdfast.config.contract.Samples.said;
import static dev.holdfast.config.contract.Samples.status;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ClassSpec;
import dev.holdfast.config.Generations.Generation;
import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.Holder;
import dev.holdfast.config.Rejection;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStore;
import dev.holdfast.config.StoredState;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** For stores that outlive the process. */
public interface DurableStoreContract extends StoreUnderTest {
  /** Opens, in another process, what {@link #open} opens here. */
  Class<? extends StoreFactory> factory();

  /** The place that {@link #open} opens, for the factory. */
  String place();

  @Test
  default void everythingIsThereAfterAReopening() {
    Rejection refused = rejection("cluster", "v1", "no");
    StateChange change =
        StateChange.builder()
            .putAccepted(accepted(key("a"), 4))
            .putByClass(new ClassSpec("envoy 1.36", key("a"), accepted(key("a"), 3)))
            .putByClass(new ClassSpec("envoy 1.36", key("b"), null))
            .putClass("envoy 1.36", NOW)
            .putRejection(refused)
            .putStatus(key("a"), status(4, "fine"))
            .putHeld(new Holder("envoy-1", "type/Secret"), "a-1")
            .append(happened("it happened"))
            .build();
    try (StateStore store = open()) {
      store.generations().assign(Map.of(key("a"), "d1"), NOW);
      store.commit(change);
    }

    try (StateStore store = open()) {
      StoredState state = store.load();
      assertThat(said(requireNonNull(state.accepted().get(key("a")))))
          .isEqualTo(said(accepted(key("a"), 4)));
      ClassSpec older = requireNonNull(state.byClass().get(state.byClass().firstKey()));
      assertThat(said(requireNonNull(older.spec()))).isEqualTo(said(accepted(key("a"), 3)));
      assertThat(requireNonNull(state.byClass().get(state.byClass().lastKey())).spec()).isNull();
      assertThat(state.classes()).isEqualTo(change.classes().put());
      assertThat(state.rejections()).isEqualTo(change.rejections().put());
      assertThat(state.statuses()).isEqualTo(change.statuses().put());
      assertThat(state.held()).isEqualTo(change.held().put());
      assertThat(store.history(HistoryQuery.newest(5)))
          .containsExactly(happened("it happened").withId(1));
      assertThat(store.generations().assign(Map.of(key("a"), "d2"), NOW.plusSeconds(1)))
          .isEqualTo(Map.of(key("a"), new Generation(2, "d2", NOW)));

      store.commit(StateChange.builder().append(happened("and again")).build());
      assertThat(store.history(HistoryQuery.newest(1)))
          .containsExactly(happened("and again").withId(2));
    }
  }

  @Test
  default void theSameStateIsTheSameWhoeverLoadsIt() {
    try (StateStore store = open()) {
      store.commit(StateChange.builder().putAccepted(accepted(key("a"), 4)).build());
    }
    StoredState first;
    try (StateStore store = open()) {
      first = store.load();
    }
    try (StateStore store = open()) {
      assertThat(store.load()).isEqualTo(first);
    }
  }

  /**
   * A writer is killed after a random number of changes, a random while into the next one, and
   * another goes on. After each: every change that the writer spoke of is there, and at most one
   * more; of none is there a part; no generation is given again.
   */
  @Test
  default void killingTheWriterLosesNothingAndHalvesNothing(@TempDir Path scratch)
      throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    long spoken = 0;
    long highest = 0;
    for (int round = 0; round < 6; round++) {
      KilledProcess killed =
          KilledProcess.run(
              List.of(
                  "-Djava.io.tmpdir=" + scratch,
                  EndlessWriter.class.getName(),
                  factory().getName(),
                  place()),
              /* wanted= */ random.nextInt(40),
              /* nanos= */ random.nextInt(3_000_000));
      for (String line : killed.lines()) {
        int space = line.indexOf(' ');
        spoken = Long.parseLong(line.substring(0, space));
        highest = Math.max(highest, Long.parseLong(line.substring(space + 1)));
      }
      try (StateStore store = open()) {
        long last = EndlessWriter.last(store);
        assertThat(last).as("seed %d round %d", seed, round).isBetween(spoken, spoken + 1);
        assertWhole(store, last);
        Generation next =
            requireNonNull(
                store
                    .generations()
                    .assign(Map.of(EndlessWriter.MARKER, "round " + round), NOW)
                    .get(EndlessWriter.MARKER));
        assertThat(next.number()).as("seed %d round %d", seed, round).isGreaterThan(highest);
        spoken = last;
        highest = next.number();
      }
    }
    assertThat(spoken).isPositive();
  }

  private static void assertWhole(StateStore store, long last) {
    StoredState state = store.load();
    assertThat(state.statuses()).hasSize(last == 0 ? 0 : EndlessWriter.WIDTH);
    assertThat(state.statuses().values())
        .allSatisfy(status -> assertThat(status.generation()).isEqualTo(last));

    SortedMap<Long, Integer> entries = new TreeMap<>();
    for (HistoryEntry entry : store.history(HistoryQuery.newest(StateStore.DEFAULT_HISTORY))) {
      entries.merge(entry.generation(), 1, Integer::sum);
    }
    assertThat(entries).hasSize((int) last);
    assertThat(entries.values()).allMatch(count -> count == EndlessWriter.WIDTH);
    assertThat(entries.isEmpty() || entries.lastKey() == last).isTrue();
  }
}
