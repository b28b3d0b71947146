// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.rollout.trial.DisagreementPolicy;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Evidence counts for as long as those who gave it stand by it. */
class EvidenceTest {
  private static final String BIG = "BIG";
  private static final String NEVER = "nobody says this";

  private final MixedFleet fleet = new MixedFleet(DisagreementPolicy.UNIFORM);

  @BeforeEach
  void hold() {
    fleet.join("old", "1.36", BIG);
    fleet.change(fleet.host("x", "1"), fleet.host("y", "1"));
    fleet.change(fleet.host("x", BIG));
    assertThat(fleet.held()).containsExactly("x@2/1");
  }

  @Test
  void whenAnotherClassTookThePlaceOfTheirsItIsTriedAgain() {
    fleet.advance(Duration.ofSeconds(1));
    fleet.join("new", "1.39", NEVER);
    assertThat(fleet.held()).as("both are there").containsExactly("x@2/1");
    fleet.leave("old");
    fleet.advance(Duration.ofSeconds(10));
    assertThat(fleet.held()).as("it may be on its way back").containsExactly("x@2/1");
    fleet.advance(Duration.ofSeconds(21));

    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.proxy("new").answers("x", BIG)).isTrue();
  }

  @Test
  void theNewClassMayRefuseItAsWell() {
    fleet.advance(Duration.ofSeconds(1));
    fleet.join("new", "1.39", BIG);
    fleet.leave("old");
    fleet.advance(Duration.ofSeconds(31));
    int before = fleet.pushes();
    fleet.change(fleet.host("y", "2"));
    fleet.change(fleet.host("y", "3"));

    assertThat(fleet.held()).containsExactly("x@2/1");
    assertThat(fleet.pushes() - before).as("it is tried once").isEqualTo(2);
  }

  @Test
  void thoseWhoWereThereAlreadyDoNotBringItUpAgain() {
    fleet.advance(Duration.ofSeconds(1));
    fleet.join("other", "1.39", NEVER);
    fleet.advance(Duration.ofSeconds(1));
    fleet.change(fleet.host("y", BIG));
    assertThat(fleet.held()).containsExactly("x@2/1", "y@2/1");
    fleet.leave("old");
    fleet.advance(Duration.ofMinutes(5));

    assertThat(fleet.rollouts.common().hold(fleet.host("y", "z").key()))
        .as("refused when the other one was there")
        .isNotNull();
  }

  @Test
  void afterARestartItCountsBeforeAnybodyIsThere() {
    fleet.restart();
    assertThat(fleet.held()).containsExactly("x@2/1");
    fleet.join("old", "1.36", BIG);

    assertThat(fleet.held()).containsExactly("x@2/1");
    assertThat(fleet.proxy("old").refusedVersions).isEmpty();
    assertThat(fleet.proxy("old").answers("x", "1")).isTrue();
  }

  @Test
  void afterARestartOthersWhoAreBackSoonerDoNotTryItAgain() {
    fleet.join("other", "1.39", NEVER);
    fleet.restart();
    fleet.join("other", "1.39", NEVER);
    fleet.join("old", "1.36", BIG);

    assertThat(fleet.held()).containsExactly("x@2/1");
    assertThat(fleet.rollouts.separate()).isEmpty();
    assertThat(fleet.proxy("old").refusedVersions).isEmpty();
  }

  @Test
  void whatAClassHasAcceptedAfterAllIsTriedAgainAlsoAfterARestart() {
    fleet.leave("old");
    fleet.join("old", "1.36", NEVER);
    fleet.run(() -> fleet.rollouts.retry(fleet.host("x", BIG).key()));
    fleet.settle();
    assertThat(fleet.held()).isEmpty();
    fleet.change(fleet.host("x", "3"));
    fleet.restart();
    fleet.join("old", "1.36", NEVER);

    fleet.change(fleet.host("x", BIG));

    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.proxy("old").answers("x", BIG)).isTrue();
  }

  @Test
  void whatAClassOfItsOwnHasAcceptedAfterAllIsNoEvidenceForAllOthers() {
    MixedFleet two = new MixedFleet(DisagreementPolicy.PER_CLASS);
    two.join("old", "1.36", BIG).join("new", "1.39", NEVER);
    two.change(two.host("x", "1"), two.host("y", "1"));
    two.change(two.host("x", BIG));
    assertThat(two.held()).containsExactly("1.36:x@2/1");
    two.leave("old");
    two.join("old", "1.36", NEVER);
    two.run(() -> two.rollouts.retry(two.host("x", BIG).key()));
    two.settle();
    assertThat(two.rollouts.separate()).isEmpty();
    two.change(two.host("x", "3"));

    two.change(two.host("x", BIG));

    assertThat(two.held()).isEmpty();
    assertThat(two.rollouts.separate()).isEmpty();
    assertThat(two.proxy("old").answers("x", BIG)).isTrue();
  }
}
