// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.contract;

import static dev.holdfast.config.contract.Samples.NOW;
import static dev.holdfast.config.contract.Samples.accepted;
import static dev.holdfast.config.contract.Samples.happened;
import static dev.holdfast.config.contract.Samples.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.config.CompactionSettings;
import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStore;
import dev.holdfast.config.StateStoreException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** For stores whose records are in another process, which may not answer. */
public interface RecordStoreContract extends StoreUnderTest {
  /** What becomes of a write on its way. */
  enum Fate {
    NORMAL,
    /** It gets no answer, and is carried out when the test says so, or never. */
    LOST,
    DONE_BUT_NOT_ANSWERED
  }

  /** The place of the records, with the answers lost that a test wants lost. */
  interface Place {
    /** Opens the store there. */
    StateStore open(int historyLimit, CompactionSettings compaction);

    default StateStore open(int historyLimit) {
      return open(historyLimit, CompactionSettings.inline());
    }

    /** What becomes of the next writes; those after them are normal. */
    void next(List<Fate> fates);

    /** Carries out what was lost on the way and arrives after all. */
    void arriveLate();

    /** How many records there are. */
    int size();
  }

  /** Another place, with nothing in it. */
  Place newPlace();

  /** How many writes a small change needs; the last one makes it count. */
  int writesPerChange();

  private static StateChange change(String name, long generation) {
    return StateChange.builder()
        .putAccepted(accepted(key(name), generation))
        .append(happened(name + " " + generation))
        .build();
  }

  /** The last write of a change has this fate. */
  private void last(Place place, Fate fate) {
    place.next(writesPerChange() == 1 ? List.of(fate) : List.of(Fate.NORMAL, fate));
  }

  @Test
  default void aWriteThatIsDoneAndNotAnsweredIsFoundOutAndPassedOver() {
    Place place = newPlace();
    StateStore store = place.open(100);
    store.commit(change("a", 1));
    last(place, Fate.DONE_BUT_NOT_ANSWERED);
    assertThatThrownBy(() -> store.commit(change("b", 1)))
        .hasMessageContaining(": cannot be written: ");
    assertThat(store.load().accepted()).containsOnlyKeys(key("a"));

    store.commit(change("c", 1));
    assertThat(place.open(100).load().accepted()).containsOnlyKeys(key("a"), key("c"));
    assertThat(place.open(100).history(HistoryQuery.newest(9))).hasSize(2);
  }

  @Test
  default void aWriteThatArrivesLateNeverCounts() {
    Place place = newPlace();
    StateStore store = place.open(100);
    store.commit(change("a", 1));
    last(place, Fate.LOST);
    assertThatThrownBy(() -> store.commit(change("b", 1))).isInstanceOf(StateStoreException.class);

    store.commit(change("c", 1));
    place.arriveLate();
    store.commit(change("d", 1));
    assertThat(place.open(100).load().accepted()).containsOnlyKeys(key("a"), key("c"), key("d"));
  }

  @Test
  default void whateverIsLostWhatWasAcknowledgedIsThere() {
    List<Fate> fates = List.of(Fate.values());
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      Place place = newPlace();
      Deque<Runnable> background = new ArrayDeque<>();
      CompactionSettings compaction =
          new CompactionSettings(2 + random.nextInt(8), background::add);
      StateStore store = place.open(100, compaction);
      long acknowledged = 0;
      for (long i = 1; i <= 30; i++) {
        for (int j = random.nextInt(3); j > 0; j--) {
          place.next(List.of(fates.get(random.nextInt(fates.size()))));
        }
        try {
          store.commit(change("a", i));
          acknowledged = i;
        } catch (StateStoreException e) {
          assertThat(e.kind()).isEqualTo(StateStoreException.Kind.FAILED);
        }
        if (random.nextInt(4) == 0) {
          place.arriveLate();
        }
        if (random.nextInt(4) == 0 && !background.isEmpty()) {
          background.remove().run();
        }
        if (random.nextInt(10) == 0) {
          place.next(List.of());
          store = place.open(100, compaction);
          long found =
              store.load().accepted().values().stream()
                  .mapToLong(spec -> spec.object().generation())
                  .findFirst()
                  .orElse(0);
          // The last one may have arrived although nobody heard that it did.
          assertThat(found).as("seed %d", seed).isBetween(acknowledged, i);
          acknowledged = found;
        }
      }
    }
  }

  @Test
  default void theNumberOfRecordsStaysSmallHoweverLongTheStoreIsUsed() {
    Place place = newPlace();
    StateStore store = place.open(2_000);
    store.generations().assign(Map.of(key("a"), "d1"), NOW);
    for (long i = 1; i <= 1_500; i++) {
      store.commit(change("a", i));
    }
    assertThat(place.size()).isLessThan(320);

    StateStore next = place.open(2_000);
    assertThat(next.history(HistoryQuery.newest(1)))
        .containsExactly(happened("a 1500").withId(1_500));
    assertThat(next.generations().known(Set.of(key("a")))).hasSize(1);
    next.commit(change("a", 1_501));
    assertThat(place.open(2_000).history(HistoryQuery.newest(1)).get(0).id()).isEqualTo(1_501);
  }

  @Test
  default void changesGoOnWhileRecordsArePutTogether() {
    Place place = newPlace();
    Deque<Runnable> background = new ArrayDeque<>();
    StateStore store = place.open(2_000, new CompactionSettings(10, background::add));
    store.generations().assign(Map.of(key("a"), "d1"), NOW);
    for (long i = 1; i <= 50; i++) {
      store.commit(change("a", i));
    }
    store.generations().assign(Map.of(key("b"), "d2"), NOW);
    int before = place.size();
    assertThat(background).as("at a time").hasSize(1);
    background.remove().run();

    store.commit(change("c", 1));
    assertThat(background).as("as many changes later").hasSize(1);
    background.remove().run();
    assertThat(place.size()).isLessThan(10).isLessThan(before);
    StateStore next = place.open(2_000);
    assertThat(next.load().accepted()).containsOnlyKeys(key("a"), key("c"));
    assertThat(next.history(HistoryQuery.newest(100))).hasSize(51);
    assertThat(next.history(HistoryQuery.newest(1))).containsExactly(happened("c 1").withId(51));
    assertThat(next.generations().known(Set.of(key("a"), key("b")))).hasSize(2);
  }

  @Test
  default void recordsThatAreStillPutTogetherDoNothingToTheNextOneWhoOpensTheState() {
    Place place = newPlace();
    Deque<Runnable> background = new ArrayDeque<>();
    StateStore store = place.open(100, new CompactionSettings(5, background::add));
    for (long i = 1; i <= 8; i++) {
      store.commit(change("a", i));
    }
    StateStore next = place.open(100);
    next.commit(change("b", 1));
    background.remove().run();

    next.commit(change("c", 1));
    assertThat(place.open(100).load().accepted()).containsOnlyKeys(key("a"), key("b"), key("c"));
    assertThatThrownBy(() -> store.commit(change("d", 1))).isInstanceOf(StateStoreException.class);
  }

  @Test
  default void aChangeThatIsLargerThanAnyRecordIsAllOrNothing() {
    Place place = newPlace();
    StateStore store = place.open(100);
    store.commit(change("a", 1));
    StateChange.Builder large = StateChange.builder();
    Random random = new Random(1);
    for (int i = 0; i < 40; i++) {
      StringBuilder text = new StringBuilder();
      while (text.length() < 60_000) {
        text.append(Long.toHexString(random.nextLong())); // nothing to compress
      }
      large.append(happened(text.toString()));
    }
    place.next(List.of(Fate.NORMAL, Fate.LOST));
    assertThatThrownBy(() -> store.commit(large.build())).isInstanceOf(StateStoreException.class);
    StateStore again = place.open(100);
    assertThat(again.history(HistoryQuery.newest(100))).hasSize(1);

    again.commit(large.build());
    assertThat(place.open(100).history(HistoryQuery.newest(100))).hasSize(41);
    assertThat(place.size()).isGreaterThan(2);
  }
}
