// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.contract;

import static dev.holdfast.config.contract.Samples.NOW;
import static dev.holdfast.config.contract.Samples.happened;
import static dev.holdfast.config.contract.Samples.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.HistoryEntry.Kind;
import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The history is read backwards and does not grow without end. */
public interface HistoryContract extends StoreUnderTest {
  @Test
  default void anEntryComesBackWithAnId() {
    HistoryEntry whole =
        HistoryEntry.of(Instant.parse("9999-12-31T23:59:59.999999999Z"), Kind.REJECTED)
            .withObject(key("a"), 3)
            .withResource("type/Cluster x")
            .withProxy("node-1")
            .withMessage("because")
            .withTook(Duration.ofNanos(1_234_567_891));
    HistoryEntry bare = HistoryEntry.of(NOW, new Kind("A_WORD_OF_THE_FUTURE"));
    try (StateStore store = open()) {
      store.commit(StateChange.builder().append(whole).append(bare).build());

      List<HistoryEntry> history = store.history(HistoryQuery.newest(10));
      assertThat(history).containsExactly(bare.withId(2), whole.withId(1));
    }
  }

  @Test
  default void aPageLeadsToTheNext() {
    try (StateStore store = open()) {
      append(store, 7);

      List<HistoryEntry> first = store.history(HistoryQuery.newest(3));
      List<HistoryEntry> second = store.history(HistoryQuery.newest(3).before(first.get(2).id()));
      List<HistoryEntry> third = store.history(HistoryQuery.newest(3).before(second.get(2).id()));

      assertThat(first).extracting(HistoryEntry::message).containsExactly("7", "6", "5");
      assertThat(second).extracting(HistoryEntry::message).containsExactly("4", "3", "2");
      assertThat(third).extracting(HistoryEntry::message).containsExactly("1");
      assertThat(store.history(HistoryQuery.newest(3).before(1))).isEmpty();
    }
  }

  @Test
  default void theHistoryOfAnObjectIsItsOwn() {
    try (StateStore store = open()) {
      for (String name : List.of("a", "b", "a", "c", "a")) {
        store.commit(StateChange.builder().append(happened(name).withObject(key(name), 1)).build());
      }
      store.commit(StateChange.builder().append(happened("nobody's")).build());

      HistoryQuery query = HistoryQuery.newest(2).about(key("a"));
      assertThat(store.history(query)).extracting(HistoryEntry::id).containsExactly(5L, 3L);
      assertThat(store.history(query.before(3))).extracting(HistoryEntry::id).containsExactly(1L);
      assertThat(store.history(query.about(key("z")))).isEmpty();
    }
  }

  @Test
  default void theOldestEntriesAreDroppedAndIdsGoOn() {
    try (StateStore store = open(5)) {
      append(store, 3);
      append(store, 4);
      assertThat(store.history(HistoryQuery.newest(10)))
          .extracting(HistoryEntry::id)
          .containsExactly(7L, 6L, 5L, 4L, 3L);

      append(store, 12);
      assertThat(store.history(HistoryQuery.newest(10)))
          .extracting(HistoryEntry::id)
          .containsExactly(19L, 18L, 17L, 16L, 15L);
      assertThat(store.history(HistoryQuery.newest(1)))
          .extracting(HistoryEntry::message)
          .containsExactly("12");
    }
  }

  @Test
  default void theUsualHistoryHoldsAHundredThousandEntries() {
    try (StateStore store = open()) {
      for (int batch = 0; batch < 11; batch++) {
        append(store, 10_000);
      }

      List<HistoryEntry> all = store.history(HistoryQuery.newest(200_000));
      assertThat(all).hasSize(100_000);
      assertThat(all.get(0).id()).isEqualTo(110_000);
      assertThat(all.get(99_999).id()).isEqualTo(10_001);
    }
  }

  private static void append(StateStore store, int count) {
    StateChange.Builder change = StateChange.builder();
    for (int i = 1; i <= count; i++) {
      change.append(happened(Integer.toString(i)));
    }
    store.commit(change.build());
  }
}
