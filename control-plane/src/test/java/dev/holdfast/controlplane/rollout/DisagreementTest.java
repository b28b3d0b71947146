// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.controlplane.rollout.trial.DisagreementPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Classes of proxies that do not judge alike. The strict one refuses what is BIG. */
class DisagreementTest {
  private static final String BIG = "BIG";
  private static final String NEVER = "nobody says this";

  private static MixedFleet uniform() {
    return new MixedFleet(DisagreementPolicy.UNIFORM);
  }

  private static MixedFleet perClass() {
    return new MixedFleet(DisagreementPolicy.PER_CLASS);
  }

  private static void serves(MixedFleet fleet, String node, String... hosts) {
    for (String host : hosts) {
      int colon = host.indexOf(':');
      assertThat(fleet.proxy(node).answers(host.substring(0, colon), host.substring(colon + 1)))
          .as("%s on %s", host, node)
          .isTrue();
    }
  }

  private static void servesNone(MixedFleet fleet, String node, String... hosts) {
    for (String host : hosts) {
      int colon = host.indexOf(':');
      assertThat(fleet.proxy(node).answers(host.substring(0, colon), host.substring(colon + 1)))
          .as("%s on %s", host, node)
          .isFalse();
    }
  }

  @Test
  void whatOneClassRefusesIsHeldForAll() {
    MixedFleet fleet = uniform().join("lax", "a", NEVER).join("strict", "b", BIG);
    fleet.change(fleet.host("x", "1"), fleet.host("y", "1"));
    fleet.change(fleet.host("x", BIG), fleet.host("y", "2"));

    assertThat(fleet.held()).containsExactly("x@2/1");
    assertThat(fleet.rollouts.separate()).isEmpty();
    serves(fleet, "lax", "x:1", "y:2");
    serves(fleet, "strict", "x:1", "y:2");
  }

  @Test
  void whatOneClassRefusesIsHeldForItAloneIfThatIsWished() {
    MixedFleet fleet = perClass().join("lax", "a", NEVER).join("strict", "b", BIG);
    fleet.change(fleet.host("x", "1"), fleet.host("y", "1"));
    fleet.change(fleet.host("x", BIG), fleet.host("y", "2"));

    assertThat(fleet.held()).containsExactly("b:x@2/1");
    serves(fleet, "lax", "x:BIG", "y:2");
    serves(fleet, "strict", "x:1", "y:2");

    fleet.change(fleet.host("y", "3"));
    serves(fleet, "lax", "x:BIG", "y:3");
    serves(fleet, "strict", "x:1", "y:3");
  }

  @Test
  void onceTheMistakeIsMendedAllGoAlongAgain() {
    MixedFleet fleet = perClass().join("lax", "a", NEVER).join("strict", "b", BIG);
    fleet.change(fleet.host("x", "1"));
    fleet.change(fleet.host("x", BIG));
    fleet.change(fleet.host("x", "3"));

    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.rollouts.separate()).isEmpty();
    assertThat(fleet.byClass).isEmpty();
    assertThat(fleet.told).containsExactly("separated b", "rejoined b");
    serves(fleet, "strict", "x:3");
  }

  @ParameterizedTest
  @EnumSource(DisagreementPolicy.class)
  void whatAllClassesRefuseIsHeldForAllAndNobodyGoesItsOwnWay(DisagreementPolicy disagreement) {
    MixedFleet fleet = new MixedFleet(disagreement).join("e", "a", BIG).join("f", "b", BIG);
    fleet.change(fleet.host("x", "1"), fleet.host("y", "1"), fleet.host("z", "1"));
    fleet.change(fleet.host("x", BIG), fleet.host("y", "2"), fleet.host("z", "2"));

    assertThat(fleet.held()).containsExactly("x@2/1");
    assertThat(fleet.rollouts.separate()).isEmpty();
    for (String node : new String[] {"e", "f"}) {
      serves(fleet, node, "x:1", "y:2", "z:2");
    }
  }

  @Test
  void eachClassHoldsWhatItRefuses() {
    MixedFleet fleet = perClass().join("e", "a", "ODD").join("f", "b", BIG).join("g", "c", NEVER);
    fleet.change(fleet.host("x", "1"), fleet.host("y", "1"));
    fleet.change(fleet.host("x", BIG), fleet.host("y", "ODD"));

    assertThat(fleet.held()).containsExactly("a:y@2/1", "b:x@2/1");
    serves(fleet, "e", "x:BIG", "y:1");
    serves(fleet, "f", "x:1", "y:ODD");
    serves(fleet, "g", "x:BIG", "y:ODD");
  }

  @ParameterizedTest
  @EnumSource(DisagreementPolicy.class)
  void aClassThatComesLaterAndRefusesWhatIsServedGetsASelectionOfItsOwn(
      DisagreementPolicy disagreement) {
    MixedFleet fleet = new MixedFleet(disagreement).join("lax", "a", NEVER);
    fleet.change(fleet.host("x", BIG), fleet.host("y", "1"), fleet.host("z", "1"));
    int before = fleet.proxy("lax").pushes;
    fleet.join("strict", "b", BIG);

    assertThat(fleet.held()).containsExactly("b:x@1/0");
    assertThat(fleet.proxy("lax").pushes).as("nobody else is touched").isEqualTo(before);
    serves(fleet, "strict", "y:1", "z:1");
    servesNone(fleet, "strict", "x:BIG");

    fleet.change(fleet.host("y", "2"));
    serves(fleet, "lax", "x:BIG", "y:2");
    serves(fleet, "strict", "y:2");
    fleet.change(fleet.host("x", "small"));
    serves(fleet, "strict", "x:small");
    assertThat(fleet.rollouts.separate()).isEmpty();
  }

  @Test
  void aNewClassIsServedTheLastGoodGenerationOfWhatIsHeldForAll() {
    MixedFleet fleet = uniform().join("lax", "a", "ODD");
    fleet.change(fleet.host("x", "1"), fleet.host("y", BIG));
    fleet.change(fleet.host("x", "ODD"));
    fleet.join("strict", "b", BIG);

    serves(fleet, "strict", "x:ODD");
    assertThat(fleet.held()).containsExactly("x@2/1", "b:y@1/0");
  }

  @Test
  void aClassThatMissedAChangeAndRefusesItKeepsWhatItLastAccepted() {
    MixedFleet fleet = uniform().join("lax", "a", NEVER).join("strict", "b", BIG);
    fleet.change(fleet.host("x", "1"), fleet.host("y", "1"));
    Fleet.Member strict = fleet.leave("strict");
    fleet.change(fleet.host("x", BIG), fleet.host("y", "2"));
    serves(fleet, "lax", "x:BIG", "y:2");
    int before = strict.pushes;
    fleet.join("strict", strict);

    assertThat(fleet.held()).containsExactly("b:x@2/1");
    serves(fleet, "strict", "x:1", "y:2");
    assertThat(strict.pushes - before).as("it is told of the mistake once").isLessThan(4);
  }

  @Test
  void aClassThatMissedAChangeIsSeparatedByItsFirstRefusal() {
    MixedFleet fleet =
        uniform().join("lax", "a", NEVER).join("one", "b", BIG).join("two", "b", BIG);
    fleet.change(fleet.host("x", "1"));
    Fleet.Member one = fleet.leave("one");
    Fleet.Member two = fleet.leave("two");
    fleet.change(fleet.host("x", BIG));
    two.silent = true;
    fleet.join("two", two);
    fleet.join("one", one);

    assertThat(fleet.told).containsExactly("separated b");
    serves(fleet, "one", "x:1");
    two.speak();
    serves(fleet, "two", "x:1");
  }

  @Test
  void aClassThatMissedAChangeAndAcceptsItGoesAlong() {
    MixedFleet fleet = uniform().join("lax", "a", NEVER).join("strict", "b", BIG);
    fleet.change(fleet.host("x", "1"));
    Fleet.Member strict = fleet.leave("strict");
    fleet.change(fleet.host("x", "2"));
    assertThat(fleet.byClass).as("what it had is kept").hasSize(1);
    fleet.join("strict", strict);

    serves(fleet, "strict", "x:2");
    assertThat(fleet.byClass).isEmpty();
    assertThat(fleet.told).isEmpty();
  }

  /**
   * One proxy of it runs the change by now, and has yet to answer on another. What another proxy
   * refuses is no reason to begin with nothing, which would take away what the first one runs.
   */
  @Test
  void aClassThatMissedAChangeAndRunsItByNowIsNotSeparatedByARefusal() {
    MixedFleet fleet =
        uniform().join("lax", "a", NEVER).join("odd", "b", BIG).join("two", "b", NEVER);
    ConfigObject gone = fleet.host("y", "1");
    fleet.change(fleet.host("x", "1"), gone);
    Fleet.Member odd = fleet.leave("odd");
    Fleet.Member two = fleet.leave("two");
    fleet.change(fleet.host("x", BIG));
    two.running = fleet.proxy("lax").running;
    fleet.delete(gone.key());
    two.silent = true;
    fleet.join("two", two).join("odd", odd);
    assertThat(fleet.told).isEmpty();

    two.speak();
    fleet.settle();

    assertThat(fleet.told).containsExactly("diverged odd");
    serves(fleet, "two", "x:BIG");
  }

  @Test
  void aRestartKeepsWhatEachClassIsServed() {
    MixedFleet fleet = perClass().join("lax", "a", NEVER).join("strict", "b", BIG);
    fleet.change(fleet.host("x", "1"), fleet.host("y", "1"));
    fleet.change(fleet.host("x", BIG), fleet.host("new", BIG));
    fleet.restart();
    fleet.join("strict", "b", BIG).join("lax", "a", NEVER);

    assertThat(fleet.held()).containsExactly("b:new@1/0", "b:x@2/1");
    serves(fleet, "strict", "x:1", "y:1");
    assertThat(fleet.proxy("strict").refusedVersions).as("nobody tries it again").isEmpty();
    serves(fleet, "lax", "x:BIG", "new:BIG");
  }

  @Test
  void aClassThatIsAwayWhenARestartIsFollowedByAChangeKeepsWhatItHad() {
    MixedFleet fleet = uniform().join("lax", "a", NEVER).join("strict", "b", BIG);
    fleet.change(fleet.host("x", "1"));
    Fleet.Member strict = fleet.leave("strict");
    fleet.restart();
    fleet.join("lax", "a", NEVER);
    fleet.change(fleet.host("x", BIG));
    fleet.join("strict", strict);

    assertThat(fleet.held()).containsExactly("b:x@2/1");
    serves(fleet, "strict", "x:1");
  }

  @Test
  void aClassThatRefusesEverythingItIsServedDelaysNobody() {
    MixedFleet fleet = uniform().join("lax", "a", NEVER);
    fleet.change(fleet.host("x", "1"), fleet.host("y", "1"));
    fleet.join("broken", "b", "");
    fleet.change(fleet.host("x", "2"));

    serves(fleet, "lax", "x:2");
    assertThat(fleet.rollouts.common().holds()).isEmpty();
  }

  @Test
  void aDeletionReachesClassesThatGoTheirOwnWay() {
    MixedFleet fleet = perClass().join("lax", "a", NEVER).join("strict", "b", BIG);
    ConfigObject x = fleet.host("x", "1");
    fleet.change(x, fleet.host("y", "1"));
    fleet.change(fleet.host("x", BIG));
    fleet.delete(x.key());

    servesNone(fleet, "strict", "x:1");
    servesNone(fleet, "lax", "x:BIG");
    serves(fleet, "strict", "y:1");
    assertThat(fleet.rollouts.separate()).isEmpty();
    assertThat(fleet.byClass).isEmpty();
  }

  @Test
  void changesWaitForAClassThatHasOnlyJustCome() {
    MixedFleet fleet = uniform().join("lax", "a", NEVER).join("strict", "b", BIG);
    fleet.change(fleet.host("x", "1"));
    fleet.proxy("strict").silent = true;
    fleet.change(fleet.host("x", BIG));
    servesNone(fleet, "lax", "x:BIG");

    fleet.advance(Duration.ofSeconds(41));
    serves(fleet, "lax", "x:BIG");
  }

  @Test
  void classesThatAreGoneForLongAreForgotten() {
    MixedFleet fleet = uniform().join("lax", "a", NEVER).join("strict", "b", BIG);
    fleet.change(fleet.host("x", "1"));
    fleet.leave("strict");
    fleet.change(fleet.host("x", "2"));
    assertThat(fleet.byClass).isNotEmpty();
    fleet.advance(Duration.ofHours(25));
    fleet.join("other", "a", NEVER);

    assertThat(fleet.byClass).isEmpty();
    assertThat(fleet.classes).containsOnlyKeys("a");
  }
}
