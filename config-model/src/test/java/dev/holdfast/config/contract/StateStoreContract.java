// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.contract;

import static dev.holdfast.config.contract.Samples.accepted;
import static dev.holdfast.config.contract.Samples.happened;
import static dev.holdfast.config.contract.Samples.key;
import static dev.holdfast.config.contract.Samples.object;
import static dev.holdfast.config.contract.Samples.rejection;
import static dev.holdfast.config.contract.Samples.said;
import static dev.holdfast.config.contract.Samples.status;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ClassSpec;
import dev.holdfast.config.Digest;
import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.Holder;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Rejection;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStore;
import dev.holdfast.config.StateStoreException;
import dev.holdfast.config.StoredState;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Changes go in and state comes out. */
public interface StateStoreContract extends StoreUnderTest {
  @Test
  default void aNewStoreKnowsNothing() {
    try (StateStore store = open()) {
      assertThat(store.load()).isEqualTo(StoredState.empty());
      assertThat(store.history(HistoryQuery.newest(10))).isEmpty();
    }
  }

  @Test
  default void whatWasCommittedIsLoaded() {
    AcceptedSpec a = accepted(key("a"), 1);
    Rejection refused = rejection("cluster", "v1", "no");
    try (StateStore store = open()) {
      store.commit(
          StateChange.builder()
              .putAccepted(a)
              .putRejection(refused)
              .putStatus(key("a"), status(1, "fine"))
              .build());

      StoredState state = store.load();
      assertThat(state.accepted()).containsOnlyKeys(key("a"));
      assertThat(said(requireNonNull(state.accepted().get(key("a"))))).isEqualTo(said(a));
      assertThat(state.rejections()).isEqualTo(Map.of(refused.key(), refused));
      assertThat(state.statuses()).isEqualTo(Map.of(key("a"), status(1, "fine")));
    }
  }

  @Test
  default void aLaterValueTakesThePlaceOfAnEarlierOne() {
    Rejection first = rejection("cluster", "v1", "no");
    Rejection second = rejection("cluster", "v1", "still no");
    try (StateStore store = open()) {
      store.commit(
          StateChange.builder()
              .putAccepted(accepted(key("a"), 1))
              .putRejection(first)
              .putStatus(key("a"), status(1, "x"))
              .build());
      store.commit(
          StateChange.builder()
              .putAccepted(accepted(key("a"), 2))
              .putRejection(second)
              .putStatus(key("a"), status(2, "y"))
              .build());

      StoredState state = store.load();
      assertThat(requireNonNull(state.accepted().get(key("a"))).object().generation()).isEqualTo(2);
      assertThat(state.rejections().values()).containsExactly(second);
      assertThat(state.statuses()).isEqualTo(Map.of(key("a"), status(2, "y")));
    }
  }

  @Test
  default void onlyWhatIsRemovedGoes() {
    Rejection one = rejection("cluster", "v1", "no");
    Rejection other = rejection("cluster", "v2", "no");
    try (StateStore store = open()) {
      store.commit(
          StateChange.builder()
              .putAccepted(accepted(key("a"), 1))
              .putAccepted(accepted(key("b"), 1))
              .putRejection(one)
              .putRejection(other)
              .putStatus(key("a"), status(1, "x"))
              .putStatus(key("b"), status(1, "x"))
              .build());
      store.commit(
          StateChange.builder()
              .removeAccepted(key("a"))
              .removeAccepted(key("never there"))
              .removeRejection(one.key())
              .removeStatus(key("b"))
              .build());

      StoredState state = store.load();
      assertThat(state.accepted()).containsOnlyKeys(key("b"));
      assertThat(state.rejections().values()).containsExactly(other);
      assertThat(state.statuses()).containsOnlyKeys(key("a"));
    }
  }

  @Test
  default void whatAClassIsServedIsKeptBesideWhatTheOthersAre() {
    ClassSpec older = new ClassSpec("envoy 1.36", key("a"), accepted(key("a"), 1));
    ClassSpec nothing = new ClassSpec("envoy 1.36", key("b"), null);
    ClassSpec other = new ClassSpec("envoy 1.37", key("a"), null);
    try (StateStore store = open()) {
      store.commit(
          StateChange.builder()
              .putAccepted(accepted(key("a"), 2))
              .putByClass(older)
              .putByClass(nothing)
              .putByClass(other)
              .build());
      StoredState state = store.load();
      assertThat(requireNonNull(state.accepted().get(key("a"))).object().generation()).isEqualTo(2);
      assertThat(state.byClass()).containsOnlyKeys(older.key(), nothing.key(), other.key());
      AcceptedSpec stored = requireNonNull(state.byClass().get(older.key())).spec();
      assertThat(said(requireNonNull(stored))).isEqualTo(said(accepted(key("a"), 1)));
      assertThat(requireNonNull(state.byClass().get(nothing.key())).spec()).isNull();

      store.commit(
          StateChange.builder()
              .putByClass(new ClassSpec("envoy 1.36", key("a"), null))
              .removeByClass(nothing.key())
              .removeByClass(new ClassSpec.Key("never there", key("a")))
              .build());
      state = store.load();
      assertThat(state.byClass()).containsOnlyKeys(older.key(), other.key());
      assertThat(requireNonNull(state.byClass().get(older.key())).spec()).isNull();
    }
  }

  @Test
  default void classesAreRememberedUntilTheyAreForgotten() {
    try (StateStore store = open()) {
      store.commit(
          StateChange.builder().putClass("a", Samples.NOW).putClass("b", Samples.NOW).build());
      store.commit(
          StateChange.builder().putClass("a", Samples.NOW.plusSeconds(1)).removeClass("b").build());

      assertThat(store.load().classes()).isEqualTo(Map.of("a", Samples.NOW.plusSeconds(1)));
    }
  }

  @Test
  default void whatAProxyHoldsIsKnownByTypeUntilItIsNotCertain() {
    Holder secrets = new Holder("envoy-1", "type/Secret");
    Holder filters = new Holder("envoy-1", "type/TypedExtensionConfig");
    Holder others = new Holder("envoy-2", "type/Secret");
    try (StateStore store = open()) {
      store.commit(
          StateChange.builder()
              .putHeld(secrets, "a-1")
              .putHeld(filters, "b-2")
              .putHeld(others, "a-1")
              .build());
      store.commit(
          StateChange.builder()
              .putHeld(secrets, "a-7")
              .removeHeld(others)
              .removeHeld(new Holder("never there", "type/Secret"))
              .build());

      assertThat(store.load().held()).isEqualTo(Map.of(secrets, "a-7", filters, "b-2"));
    }
  }

  @Test
  default void anEmptyChangeChangesNothing() {
    try (StateStore store = open()) {
      store.commit(StateChange.builder().putAccepted(accepted(key("a"), 1)).build());
      store.commit(StateChange.builder().build());

      assertThat(store.load().accepted()).containsOnlyKeys(key("a"));
    }
  }

  @Test
  default void anyTextSurvives() {
    try (StateStore store = open()) {
      StateChange.Builder change = StateChange.builder();
      for (String hostile : Samples.HOSTILE) {
        ObjectKey key = new ObjectKey("HTTPProxy", hostile, hostile);
        change
            .putAccepted(AcceptedSpec.of(object(key, 1, hostile)))
            .putStatus(key, status(1, hostile))
            .putByClass(new ClassSpec(hostile, key, AcceptedSpec.of(object(key, 1, hostile))))
            .putClass(hostile, Samples.NOW)
            .putHeld(new Holder(hostile, hostile), hostile)
            .putRejection(rejection(hostile, hostile, hostile));
      }
      StateChange all = change.build();
      store.commit(all);

      StoredState state = store.load();
      assertThat(state.accepted().keySet()).isEqualTo(all.accepted().put().keySet());
      state
          .accepted()
          .forEach(
              (key, spec) -> {
                assertThat(said(spec))
                    .isEqualTo(said(requireNonNull(all.accepted().put().get(key))));
                assertThat(Digest.of(spec.object().body())).isEqualTo(spec.digest());
              });
      assertThat(state.byClass().keySet()).isEqualTo(all.byClass().put().keySet());
      assertThat(state.classes()).isEqualTo(all.classes().put());
      assertThat(state.held()).isEqualTo(all.held().put());
      assertThat(state.statuses()).isEqualTo(all.statuses().put());
      assertThat(state.rejections()).isEqualTo(all.rejections().put());
    }
  }

  @Test
  default void aLargeChangeIsOneChange() {
    try (StateStore store = open()) {
      StateChange.Builder change = StateChange.builder();
      for (int i = 0; i < 2_000; i++) {
        change
            .putAccepted(accepted(key("o" + i), 1))
            .putStatus(key("o" + i), status(1, "x"))
            .append(happened("o" + i));
      }
      store.commit(change.build());

      assertThat(store.load().accepted()).hasSize(2_000);
      assertThat(store.load().statuses()).hasSize(2_000);
      assertThat(store.history(HistoryQuery.newest(3_000))).hasSize(2_000);
    }
  }

  @Test
  default void aClosedStoreSaysSo() {
    StateStore store = open();
    store.close();
    store.close();

    assertThatThrownBy(store::load).satisfies(StateStoreContract::saysClosed);
    assertThatThrownBy(() -> store.commit(StateChange.builder().append(happened("x")).build()))
        .satisfies(StateStoreContract::saysClosed);
    assertThatThrownBy(() -> store.history(HistoryQuery.newest(1)))
        .satisfies(StateStoreContract::saysClosed);
    assertThatThrownBy(() -> store.generations().assign(Map.of(key("a"), "d"), Samples.NOW))
        .satisfies(StateStoreContract::saysClosed);
  }

  private static void saysClosed(Throwable thrown) {
    assertThat(thrown)
        .isInstanceOfSatisfying(
            StateStoreException.class,
            e -> assertThat(e.kind()).isEqualTo(StateStoreException.Kind.CLOSED));
  }
}
