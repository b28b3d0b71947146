// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.rollout.trial.DisagreementPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A proxy that refuses what others of its class run. */
class DivergedProxyTest {
  private static final String BIG = "BIG";
  private static final String NEVER = "nobody says this";

  private final MixedFleet fleet = new MixedFleet(DisagreementPolicy.UNIFORM);

  private void diverge() {
    fleet.join("e1", "a", NEVER).join("e2", "a", BIG).join("e3", "a", NEVER);
    fleet.change(fleet.host("x", "1"), fleet.host("y", "1"));
    fleet.change(fleet.host("x", BIG));
  }

  @Test
  void itIsNotedOnceAndNobodyIsHeldForIt() {
    diverge();

    assertThat(fleet.rollouts.diverged()).containsOnlyKeys("e2");
    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.rollouts.separate()).isEmpty();
    assertThat(fleet.proxy("e1").answers("x", BIG)).isTrue();
    assertThat(fleet.proxy("e2").answers("x", "1")).as("keeps what it had").isTrue();
    fleet.change(fleet.host("y", "2"));
    assertThat(fleet.told).containsExactly("diverged e2");
  }

  @Test
  void itHasNoSayEvenIfItWouldBeTheFirstToBeAsked() {
    fleet.join("e1", "a", NEVER);
    fleet.change(fleet.host("x", BIG), fleet.host("y", "1"));
    fleet.join("e0", "a", BIG);
    assertThat(fleet.rollouts.diverged()).containsOnlyKeys("e0");
    fleet.change(fleet.host("x", "2"));
    assertThat(fleet.proxy("e0").answers("x", "2")).as("it gets what it accepts").isTrue();

    fleet.change(fleet.host("x", BIG), fleet.host("y", "2"));
    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.proxy("e1").answers("x", BIG)).isTrue();
    assertThat(fleet.proxy("e1").answers("y", "2")).isTrue();
  }

  @Test
  void whenItComesBackItIsAskedAgain() {
    diverge();
    fleet.change(fleet.host("x", "3"));
    fleet.join("e2", fleet.leave("e2"));

    assertThat(fleet.rollouts.diverged()).isEmpty();
  }

  @Test
  void theLastOfItsClassDivergesFromNobody() {
    diverge();
    fleet.leave("e1");
    fleet.leave("e3");
    fleet.advance(Duration.ofSeconds(11));
    assertThat(fleet.rollouts.diverged()).isEmpty();

    assertThat(fleet.rollouts.separate()).containsOnlyKeys("a");
    assertThat(fleet.proxy("e2").answers("x", "1")).as("keeps what it had").isTrue();
    fleet.change(fleet.host("y", "2"));
    assertThat(fleet.proxy("e2").answers("y", "2")).isTrue();
  }

  @Test
  void ifTheOthersAreAwayForAMomentItDoesNotSpeakForThem() {
    diverge();
    Fleet.Member e1 = fleet.leave("e1");
    Fleet.Member e3 = fleet.leave("e3");
    fleet.advance(Duration.ofSeconds(5));
    assertThat(fleet.rollouts.diverged()).containsOnlyKeys("e2");

    fleet.join("e1", e1).join("e3", e3).advance(Duration.ofSeconds(20));
    assertThat(fleet.rollouts.diverged()).containsOnlyKeys("e2");
    assertThat(fleet.rollouts.separate()).isEmpty();
    assertThat(fleet.proxy("e1").answers("x", BIG)).isTrue();
    assertThat(fleet.proxy("e2").answers("x", "1")).isTrue();
  }

  @Test
  void norDoesOneThatStartsMeanwhile() {
    fleet.join("e1", "a", NEVER).join("e2", "a", NEVER);
    fleet.change(fleet.host("x", BIG), fleet.host("y", "1"));
    Fleet.Member e1 = fleet.leave("e1");
    Fleet.Member e2 = fleet.leave("e2");
    fleet.join("odd", "a", BIG);

    assertThat(fleet.rollouts.diverged()).containsOnlyKeys("odd");
    assertThat(fleet.rollouts.separate()).isEmpty();
    assertThat(fleet.proxy("odd").answers("y", "1")).as("gets everything else at once").isTrue();
    int pushes = e1.pushes;
    fleet.join("e1", e1).join("e2", e2).advance(Duration.ofSeconds(20));
    assertThat(e1.pushes).as("nothing changes for the others").isEqualTo(pushes);
    assertThat(fleet.proxy("e1").answers("x", BIG)).isTrue();
  }

  @Test
  void ifMostOfItsClassAgreeWithItItIsTheClass() {
    fleet.join("e1", "a", NEVER);
    fleet.change(fleet.host("x", BIG), fleet.host("y", "1"));
    fleet.leave("e1");
    fleet.join("e2", "a", BIG).join("e3", "a", BIG).advance(Duration.ofSeconds(1));
    fleet.leave("e2");
    fleet.advance(Duration.ofSeconds(20));

    assertThat(fleet.rollouts.separate()).containsOnlyKeys("a");
    assertThat(fleet.proxy("e3").answers("y", "1")).isTrue();
  }
}
