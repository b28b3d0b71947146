// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.store;

import static dev.holdfast.config.contract.Samples.NOW;
import static dev.holdfast.config.contract.Samples.accepted;
import static dev.holdfast.config.contract.Samples.happened;
import static dev.holdfast.config.contract.Samples.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStore;
import dev.holdfast.config.StateStoreException;
import dev.holdfast.config.contract.GenerationsContract;
import dev.holdfast.config.contract.HistoryContract;
import dev.holdfast.config.contract.RecordStoreContract;
import dev.holdfast.config.contract.StateStoreContract;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterStateStoreTest
    implements StateStoreContract, GenerationsContract, HistoryContract, RecordStoreContract {
  private final FakeConfigMaps cluster = new FakeConfigMaps();

  @Override
  public StateStore open(int historyLimit) {
    return cluster.open(historyLimit);
  }

  @Override
  public Place newPlace() {
    return new FakeConfigMaps();
  }

  /** The record, and then the root. */
  @Override
  public int writesPerChange() {
    return 2;
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
  void noChangeWaitsForTheDeletionOfOldRecords() {
    StateStore store = open();
    cluster.areDeletionsSlow = true;
    for (int i = 1; cluster.deletions() == 0; i++) {
      assertThat(i).as("changes before records are summed up").isLessThan(1_000);
      store.commit(change("a", i));
    }
    int old = cluster.size();
    store.commit(change("b", 1));
    assertThat(cluster.deletions()).as("deletions under way").isOne();

    while (cluster.deletions() > 0) {
      cluster.answerDeletion();
    }
    assertThat(cluster.size()).as("records").isLessThan(10).isLessThan(old);
    assertThat(open().load().accepted()).containsOnlyKeys(key("a"), key("b"));
  }

  @Test
  void recordsThatCannotBeDeletedAreDeletedByWhoeverOpensTheStateNext() {
    StateStore store = open();
    cluster.areDeletionsSlow = true;
    for (int i = 1; cluster.deletions() == 0; i++) {
      store.commit(change("a", i));
    }
    int old = cluster.size();
    cluster.areDeletionsSlow = false;
    cluster.next(List.of(Fate.LOST));
    cluster.answerDeletion();
    assertThat(cluster.size()).as("one is deleted, the next is lost").isEqualTo(old - 1);

    assertThat(open().load().accepted()).containsOnlyKeys(key("a"));
    assertThat(cluster.size()).isLessThan(10);
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
