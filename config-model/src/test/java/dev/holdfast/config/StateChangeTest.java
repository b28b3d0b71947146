// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static dev.holdfast.config.contract.Samples.accepted;
import static dev.holdfast.config.contract.Samples.happened;
import static dev.holdfast.config.contract.Samples.key;
import static dev.holdfast.config.contract.Samples.rejection;
import static dev.holdfast.config.contract.Samples.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class StateChangeTest {
  @Test
  void theLaterOfTwoEditsCounts() {
    Rejection refused = rejection("cluster", "v1", "no");

    StateChange change =
        StateChange.builder()
            .putAccepted(accepted(key("a"), 1))
            .removeAccepted(key("a"))
            .removeStatus(key("b"))
            .putStatus(key("b"), status(1, "x"))
            .putRejection(refused)
            .removeRejection(refused.key())
            .putRejection(refused)
            .build();

    assertThat(change.accepted().put()).isEmpty();
    assertThat(change.accepted().removed()).containsExactly(key("a"));
    assertThat(change.statuses().put()).containsOnlyKeys(key("b"));
    assertThat(change.statuses().removed()).isEmpty();
    assertThat(change.rejections().put()).containsOnlyKeys(refused.key());
    assertThat(change.rejections().removed()).isEmpty();
  }

  @Test
  void aChangeOnTopOfAnotherIsBoth() {
    StateChange first =
        StateChange.builder()
            .putAccepted(accepted(key("a"), 1))
            .putStatus(key("a"), status(1, "x"))
            .putHeld(new Holder("n", "t"), "v")
            .append(happened("first"))
            .build();
    StateChange second =
        StateChange.builder()
            .removeAccepted(key("a"))
            .removeHeld(new Holder("n", "t"))
            .append(happened("second"))
            .build();

    StateChange both = StateChange.builder().add(first).add(second).build();

    assertThat(both.accepted().put()).isEmpty();
    assertThat(both.accepted().removed()).containsExactly(key("a"));
    assertThat(both.statuses().put()).containsOnlyKeys(key("a"));
    assertThat(both.held().put()).isEmpty();
    assertThat(both.held().removed()).containsExactly(new Holder("n", "t"));
    assertThat(both.history()).containsExactly(happened("first"), happened("second"));
  }

  @Test
  void anythingMakesAChange() {
    assertThat(StateChange.builder().isEmpty()).isTrue();
    assertThat(StateChange.builder().build().isEmpty()).isTrue();
    for (StateChange.Builder builder :
        List.of(
            StateChange.builder().removeAccepted(key("a")),
            StateChange.builder().putStatus(key("a"), status(1, "x")),
            StateChange.builder().putRejection(rejection("c", "v", "m")),
            StateChange.builder().removeHeld(new Holder("n", "t")),
            StateChange.builder().append(happened("x")))) {
      assertThat(builder.isEmpty()).isFalse();
      assertThat(builder.build().isEmpty()).isFalse();
    }
  }

  @Test
  void aBuilderThatGoesOnDoesNotTouchWhatItBuilt() {
    StateChange.Builder builder = StateChange.builder().append(happened("first"));
    StateChange built = builder.build();

    builder.append(happened("second")).removeStatus(key("a"));

    assertThat(built.history()).containsExactly(happened("first"));
    assertThat(built.statuses().isEmpty()).isTrue();
  }

  @Test
  void anEntryThatIsStoredAlreadyIsRefused() {
    StateChange.Builder builder = StateChange.builder().append(happened("x").withId(3));

    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("id: 3 (expected: 0 before it is stored)");
  }

  @Test
  void aKeyIsPutOrRemovedButNotBoth() {
    assertThatThrownBy(
            () -> new Edits<>(new TreeMap<>(Map.of("a", 1)), new TreeSet<>(List.of("a"))))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
