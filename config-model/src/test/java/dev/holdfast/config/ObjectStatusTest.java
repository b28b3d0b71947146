// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ObjectStatusTest {
  private static final Instant EARLY = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant LATE = Instant.parse("2026-01-02T00:00:00Z");

  @Test
  void theTimeOfTheTransitionStaysWhileTheAnswerDoes() {
    ObjectStatus status =
        ObjectStatus.empty()
            .with(valid(Condition.Status.FALSE, "One", 1, EARLY))
            .with(valid(Condition.Status.FALSE, "Two", 2, LATE));

    assertThat(status.condition("Valid")).isEqualTo(valid(Condition.Status.FALSE, "Two", 2, EARLY));
  }

  @Test
  void theTimeOfTheTransitionMovesWithTheAnswer() {
    ObjectStatus status =
        ObjectStatus.empty()
            .with(valid(Condition.Status.UNKNOWN, "One", 1, EARLY))
            .with(valid(Condition.Status.TRUE, "Two", 1, LATE));

    assertThat(status.condition("Valid")).isEqualTo(valid(Condition.Status.TRUE, "Two", 1, LATE));
  }

  @Test
  void answersAreSpelledAsKubernetesDoes() {
    assertThat(Condition.Status.values())
        .extracting(Condition.Status::toString)
        .containsExactly("True", "False", "Unknown");
  }

  @Test
  void aConditionStandsUnderItsOwnType() {
    Condition valid = valid(Condition.Status.TRUE, "Valid", 1, EARLY);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ObjectStatus(new TreeMap<>(Map.of("Programmed", valid))));
  }

  private static Condition valid(
      Condition.Status status, String reason, long generation, Instant at) {
    return new Condition("Valid", status, reason, "", generation, at);
  }
}
