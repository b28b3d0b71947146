// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.store;

import static dev.holdfast.config.contract.Samples.NOW;
import static dev.holdfast.config.contract.Samples.accepted;
import static dev.holdfast.config.contract.Samples.happened;
import static dev.holdfast.config.contract.Samples.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStore;
import dev.holdfast.config.StateStoreException;
import dev.holdfast.config.contract.GenerationsContract;
import dev.holdfast.config.contract.HistoryContract;
import dev.holdfast.config.contract.StateStoreContract;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterStateStoreTest implements StateStoreContract, GenerationsContract, HistoryContract {
  private static final List<FakeConfigMaps.Fate> FATES = List.of(FakeConfigMaps.Fate.values());

  private final FakeConfigMaps cluster = new FakeConfigMaps();

  @Override
  public StateStore open(int historyLimit) {
    return ClusterStateStore.open(cluster, "holdfast", "state", historyLimit);
  }

  private static StateChange change(String name, long generation) {
    return StateChange.builder()
        .putAccepted(accepted(key(name), generation))
        .append(happened(name + " " + generation))
        .build();
  }

  @Test
  void whoeverOpensItTakesItAwayFromTheOneThatHadIt() {
    StateStore first = open();
    first.commit(change("a", 1));
    StateStore second = open();
    second.commit(change("b", 1));

    assertThatThrownBy(() -> first.commit(change("a", 2)))
        .isInstanceOfSatisfying(
            StateStoreException.class,
            e -> assertThat(e.kind()).isEqualTo(StateStoreException.Kind.IN_USE))
        .hasMessage(
            "state in configmaps/holdfast/state: another process has taken it over (expected: one"
                + " leader)");
    assertThatThrownBy(() -> first.generations().assign(Map.of(key("a"), "d"), NOW))
        .as("never again")
        .isInstanceOf(StateStoreException.class);
    second.commit(change("b", 2));
    assertThat(open().load().accepted()).containsOnlyKeys(key("a"), key("b"));
    assertThat(open().load().accepted().get(key("a")))
        .satisfies(spec -> assertThat(spec).isNotNull());
  }

  @Test
  void aWriteThatIsDoneAndNotAnsweredIsFoundOutAndPassedOver() {
    StateStore store = open();
    store.commit(change("a", 1));
    cluster.fates.addAll(
        List.of(FakeConfigMaps.Fate.NORMAL, FakeConfigMaps.Fate.DONE_BUT_NOT_ANSWERED));
    assertThatThrownBy(() -> store.commit(change("b", 1)))
        .hasMessageContaining("cannot be written: connection reset");
    assertThat(store.load().accepted()).containsOnlyKeys(key("a"));

    store.commit(change("c", 1));
    assertThat(open().load().accepted()).containsOnlyKeys(key("a"), key("c"));
    assertThat(open().history(HistoryQuery.newest(9))).hasSize(2);
  }

  @Test
  void aWriteThatArrivesLateNeverCounts() {
    StateStore store = open();
    store.commit(change("a", 1));
    cluster.fates.addAll(List.of(FakeConfigMaps.Fate.NORMAL, FakeConfigMaps.Fate.LOST));
    assertThatThrownBy(() -> store.commit(change("b", 1))).isInstanceOf(StateStoreException.class);

    store.commit(change("c", 1));
    cluster.arriveLate();
    store.commit(change("d", 1));
    assertThat(open().load().accepted()).containsOnlyKeys(key("a"), key("c"), key("d"));
  }

  @Test
  void whateverIsLostWhatWasAcknowledgedIsThere() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      FakeConfigMaps maps = new FakeConfigMaps();
      StateStore store = ClusterStateStore.open(maps, "holdfast", "state", 100);
      long acknowledged = 0;
      for (long i = 1; i <= 30; i++) {
        for (int j = random.nextInt(3); j > 0; j--) {
          maps.fates.add(FATES.get(random.nextInt(FATES.size())));
        }
        try {
          store.commit(change("a", i));
          acknowledged = i;
        } catch (StateStoreException e) {
          assertThat(e.kind()).isEqualTo(StateStoreException.Kind.FAILED);
        }
        if (random.nextInt(4) == 0) {
          maps.arriveLate();
        }
        if (random.nextInt(10) == 0) {
          maps.fates.clear();
          store = ClusterStateStore.open(maps, "holdfast", "state", 100);
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
  void theNumberOfObjectsStaysSmallHoweverLongItIsUsed() {
    StateStore store = open();
    store.generations().assign(Map.of(key("a"), "d1"), NOW);
    for (long i = 1; i <= 1_500; i++) {
      store.commit(change("a", i));
    }
    assertThat(cluster.objects.size()).isLessThan(320);

    StateStore next = open();
    assertThat(next.history(HistoryQuery.newest(1)))
        .containsExactly(happened("a 1500").withId(1_500));
    assertThat(next.generations().known(Set.of(key("a")))).hasSize(1);
    next.commit(change("a", 1_501));
    assertThat(open().history(HistoryQuery.newest(1)).get(0).id()).isEqualTo(1_501);
  }

  @Test
  void aChangeThatIsLargerThanAnyObjectIsAllOrNothing() {
    StateStore store = open();
    StateChange.Builder large = StateChange.builder();
    Random random = new Random(1);
    for (int i = 0; i < 40; i++) {
      StringBuilder text = new StringBuilder();
      while (text.length() < 60_000) {
        text.append(Long.toHexString(random.nextLong())); // nothing to compress
      }
      large.append(happened(text.toString()));
    }
    store.commit(large.build());
    assertThat(open().history(HistoryQuery.newest(100))).hasSize(40);
    assertThat(cluster.objects.size()).isGreaterThan(2);
  }

  @Test
  void whatIsMissingOrForeignIsSaid() {
    open().commit(change("a", 1));
    cluster.objects.keySet().removeIf(name -> name.startsWith("state-"));
    assertThatThrownBy(this::open)
        .hasMessageContaining("is missing (to start without state, delete all ConfigMaps with");

    cluster.objects.put(
        "state",
        "{\"metadata\":{\"name\":\"state\",\"resourceVersion\":\"1\"},\"data\":{\"x\":\"\"}}");
    assertThatThrownBy(this::open).hasMessageContaining("not written by Holdfast");
    cluster.objects.put(
        "state",
        "{\"metadata\":{\"name\":\"state\",\"resourceVersion\":\"1\"},\"data\":{\"format\":\"2\"}}");
    assertThatThrownBy(this::open).hasMessageContaining("has format 2 (expected: 1");
  }
}
