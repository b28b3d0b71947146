// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.controlplane.rollout.trial.DisagreementPolicy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * While a class of proxies is away, something is changed that is of no consequence to all others.
 * With what that class has, it is.
 */
class NoVisibleChangeTest {
  private static final String BIG = "BIG";

  private final MixedFleet fleet = new MixedFleet(DisagreementPolicy.UNIFORM);
  private final ConfigObject aWithoutIt = fleet.host("a", "never served");
  private Fleet.Member strict = new Fleet.Member("b", BIG);

  @BeforeEach
  void aStrictClassRunsAHostThatIncludesAnotherObjectAndGoesAway() {
    fleet.join("lax", "a", "nobody says this").join("strict", strict);
    fleet.change(
        Includes.root("a", aWithoutIt.generation(), "1", "c"), Includes.child("c", 1, "1"));
    strict = fleet.leave("strict");
  }

  private void theStrictOneKeepsBoth() {
    fleet.join("strict", strict);
    assertThat(strict.answers("a", "1")).isTrue();
    assertThat(strict.answers("c", "1")).isTrue();
    assertThat(fleet.held()).containsExactly("b:a@2/1", "b:c@2/1");
  }

  @Test
  void itKeepsWhatItHasOfTheOneThatIsIncludedNoMore() {
    fleet.change(fleet.host("a", BIG));
    fleet.change(Includes.child("c", 2, BIG));

    theStrictOneKeepsBoth();
  }

  @Test
  void itKeepsItAlsoIfBothWereChangedTogether() {
    fleet.change(fleet.host("a", BIG), Includes.child("c", 2, BIG));

    theStrictOneKeepsBoth();
  }
}
