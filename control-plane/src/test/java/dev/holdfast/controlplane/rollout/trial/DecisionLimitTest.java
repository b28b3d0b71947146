// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.Fleet;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.selection.Bundle;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A rollout that decides without an end is stopped, and goes on. */
class DecisionLimitTest {
  private static final ObjectKey X = new ObjectKey("HTTPProxy", "default", "x");

  private final Fleet fleet = new Fleet();

  @Test
  void whatIsInHandIsHeldAndEverythingElseGoesOn() {
    fleet.join("e1");
    fleet.change(fleet.host("x", "1"), fleet.host("y", "1"));
    fleet.expectsErrors = true;
    DecisionLimit limit = fleet.rollout.machine().limit();
    limit.allow(0);
    fleet.change(fleet.host("x", "2"));

    assertThat(fleet.errors)
        .contains(
            "deciding about HTTPProxy/default/x: "
                + "too many decisions in one turn, the last is START_TRIAL");
    assertThat(requireNonNull(fleet.rollout.hold(X)).reason())
        .isEqualTo(Hold.Reason.ATTRIBUTION_PENDING);
    assertThat(fleet.rollout.served(X)).isEqualTo(1);

    limit.allow(null);
    fleet.change(fleet.host("y", "2"));
    assertThat(fleet.rollout.served(new ObjectKey("HTTPProxy", "default", "y"))).isEqualTo(2);
    fleet.advance(Duration.ofSeconds(5));
    fleet.settle();
    assertThat(fleet.rollout.hold(X)).isNull();
    assertThat(fleet.rollout.served(X)).isEqualTo(2);
  }

  @Test
  void itGrowsWithTheObjects() {
    DecisionLimit limit = new DecisionLimit(() -> 100);
    limit.begin();
    for (int i = 0; i < 600; i++) {
      limit.count(RolloutDecision.REST);
    }
    assertThatThrownBy(() -> limit.count(RolloutDecision.REST))
        .isInstanceOf(IllegalStateException.class);
    limit.begin();
    limit.count(RolloutDecision.REST);
  }

  @Test
  void theSameObjectsAreNotConvictedForEver() {
    DecisionLimit limit = new DecisionLimit(() -> 100);
    limit.begin();
    for (int i = 0; i < 3; i++) {
      limit.count(conviction(fleet.host("x", "1")));
      limit.count(conviction(fleet.host("y", "1")));
    }
    assertThatThrownBy(() -> limit.count(conviction(fleet.host("x", "1"))))
        .hasMessageContaining("again and again");
  }

  private static RolloutDecision conviction(ConfigObject object) {
    return new RolloutDecision.Convict(new LostCanaries.Conviction(Bundle.of(object), List.of()));
  }
}
