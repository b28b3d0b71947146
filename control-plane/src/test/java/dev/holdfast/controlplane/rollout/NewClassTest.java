// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.rollout.trial.DisagreementPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A class that nobody knew has no say until it has run the baseline for a while. */
class NewClassTest {
  private static final String BIG = "BIG";
  private static final String NEVER = "nobody says this";

  private static MixedFleet start(DisagreementPolicy policy) {
    MixedFleet fleet = new MixedFleet(policy).join("e1", "a", NEVER).join("e2", "a", NEVER);
    fleet.change(fleet.host("x", "1"), fleet.host("y", "1"));
    return fleet;
  }

  @ParameterizedTest
  @EnumSource(DisagreementPolicy.class)
  void whatAStrangerRefusesIsHeldForItAlone(DisagreementPolicy policy) {
    MixedFleet fleet = start(policy);
    fleet.join("s", "stranger", BIG);
    assertThat(fleet.rollouts.hasSay("a")).isTrue();
    assertThat(fleet.rollouts.hasSay("stranger")).isFalse();
    fleet.change(fleet.host("x", BIG), fleet.host("y", "2"));

    assertThat(fleet.rollouts.common().holds()).isEmpty();
    assertThat(fleet.rollouts.counting()).isEmpty();
    assertThat(fleet.proxy("e1").answers("x", BIG)).isTrue();
    assertThat(fleet.proxy("s").answers("x", "1")).isTrue();
    assertThat(fleet.proxy("s").answers("y", "2")).as("the rest reaches it").isTrue();
  }

  @ParameterizedTest
  @EnumSource(DisagreementPolicy.class)
  void oneThatNeverAnswersDelaysNobody(DisagreementPolicy policy) {
    MixedFleet fleet = start(policy);
    fleet.join("s", "stranger", NEVER);
    fleet.proxy("s").silent = true;
    fleet.change(fleet.host("x", "2"));

    assertThat(fleet.proxy("e2").answers("x", "2")).isTrue();
  }

  @Test
  void oneThatRefusesEverythingTakesAShareOfTheTime() {
    MixedFleet fleet = start(DisagreementPolicy.UNIFORM);
    fleet.classWork = Duration.ofSeconds(1);
    fleet.join("s", "stranger", "");
    long start = fleet.time.nanoTime();
    for (int i = 2; i < 50; i++) {
      fleet.change(fleet.host("x", Integer.toString(i)));
      assertThat(fleet.proxy("e2").answers("x", Integer.toString(i))).isTrue();
      fleet.advance(Duration.ofSeconds(1));
    }
    double seconds = (fleet.time.nanoTime() - start) / 1e9;
    assertThat((double) fleet.classesShown).isBetween(2.0, seconds / 5 + 3);
  }

  @Test
  void afterAWhileItIsAsked() {
    MixedFleet fleet = start(DisagreementPolicy.UNIFORM);
    fleet.join("s", "stranger", BIG);
    fleet.advance(Duration.ofSeconds(11));
    assertThat(fleet.rollouts.hasSay("stranger")).isTrue();
    fleet.change(fleet.host("x", BIG));

    assertThat(fleet.held()).containsExactly("x@2/1");
  }

  @Test
  void whereNobodyElseIsItHasASay() {
    MixedFleet fleet = start(DisagreementPolicy.PER_CLASS);
    fleet.join("s", "stranger", BIG);
    fleet.leave("e1");
    fleet.leave("e2");
    assertThat(fleet.rollouts.hasSay("stranger")).isTrue();
    fleet.change(fleet.host("x", BIG));

    assertThat(fleet.proxy("s").answers("x", "1")).isTrue();
    assertThat(fleet.held()).containsExactly("x@2/1");
  }

  @Test
  void thoseThatTheStateNamesAreKnown() {
    MixedFleet fleet = start(DisagreementPolicy.UNIFORM);
    fleet.restart();
    fleet.join("other", "b", NEVER).join("e1", "a", NEVER);

    assertThat(fleet.rollouts.hasSay("a")).isTrue();
    assertThat(fleet.rollouts.hasSay("b")).isFalse();
  }

  @Test
  void afterAStartTheFirstThatIsBackDoesNotSpeakForItsClass() {
    MixedFleet fleet = start(DisagreementPolicy.UNIFORM);
    fleet.restart();
    fleet.join("liar", "a", "");
    fleet.advance(Duration.ofSeconds(1));
    assertThat(fleet.rollouts.separate()).isEmpty();
    fleet.join("e1", "a", NEVER).join("e2", "a", NEVER);

    assertThat(fleet.proxy("e1").answers("x", "1")).isTrue();
    assertThat(fleet.proxy("e2").answers("y", "1")).isTrue();
    fleet.advance(Duration.ofSeconds(20));
    assertThat(fleet.rollouts.separate()).isEmpty();
    assertThat(fleet.proxy("e1").answers("x", "1")).isTrue();
  }

  @Test
  void oneThatStaysAloneIsBelievedAfterAWhile() {
    MixedFleet fleet = start(DisagreementPolicy.UNIFORM);
    fleet.change(fleet.host("x", BIG));
    fleet.restart();
    fleet.join("e1", "a", BIG);
    assertThat(fleet.rollouts.separate()).isEmpty();
    fleet.advance(Duration.ofSeconds(11));

    assertThat(fleet.rollouts.separate()).containsOnlyKeys("a");
    assertThat(fleet.proxy("e1").answers("y", "1")).isTrue();
  }
}
