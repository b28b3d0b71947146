// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.rollout.trial.DisagreementPolicy;
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
    assertThat(fleet.rollouts.diverged()).isEmpty();

    assertThat(fleet.rollouts.separate()).containsOnlyKeys("a");
    fleet.change(fleet.host("y", "2"));
    assertThat(fleet.proxy("e2").answers("y", "2")).isTrue();
  }
}
