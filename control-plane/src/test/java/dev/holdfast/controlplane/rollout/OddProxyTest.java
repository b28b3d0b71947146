// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.trial.DisagreementPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A proxy that refuses what others of its class run gets everything else. */
class OddProxyTest {
  private static final String BIG = "BIG";
  private static final String NEVER = "nobody says this";

  private final MixedFleet fleet = new MixedFleet(DisagreementPolicy.UNIFORM);

  private void start(String... others) {
    fleet.join("e1", "a", NEVER).join("e2", "a", NEVER).join("e3", "a", NEVER);
    fleet.change(
        fleet.host("x", "1"), fleet.host("y", "1"), fleet.host("z", "1"), fleet.host("w", "1"));
    for (String other : others) {
      fleet.join(other, "a", BIG);
    }
  }

  private List<String> lacks(String node) {
    return fleet.rollouts.heldForProxy(node).stream()
        .map(hold -> hold.key().name() + "@" + hold.generation() + "/" + hold.served())
        .toList();
  }

  private boolean answers(String node, String... hostsAndBodies) {
    for (String each : hostsAndBodies) {
      String[] parts = each.split(":", -1);
      if (!fleet.proxy(node).answers(parts[0], parts[1])) {
        return false;
      }
    }
    return true;
  }

  @Test
  void itGetsLaterEditsOfOthers() {
    start("odd");
    fleet.change(fleet.host("x", BIG), fleet.host("y", "2"));

    assertThat(fleet.rollouts.diverged()).containsOnlyKeys("odd");
    assertThat(answers("e1", "x:BIG", "y:2")).isTrue();
    assertThat(answers("odd", "x:1", "y:2", "z:1", "w:1")).isTrue();
    assertThat(lacks("odd")).containsExactly("x@2/1");

    fleet.change(fleet.host("z", "2"));
    assertThat(answers("odd", "x:1", "y:2", "z:2", "w:1")).isTrue();
    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.rollouts.separate()).isEmpty();
    assertThat(fleet.rollouts.incidents()).isEmpty();
  }

  @Test
  void ifItStartsWithNothingItGetsAllThatItAccepts() {
    start();
    fleet.change(fleet.host("x", BIG));
    int pushes = fleet.proxy("e1").pushes;
    fleet.join("odd", "a", BIG);

    assertThat(answers("odd", "y:1", "z:1", "w:1")).isTrue();
    assertThat(fleet.proxy("odd").has("x:")).isFalse();
    assertThat(lacks("odd")).containsExactly("x@2/0");
    assertThat(fleet.proxy("e1").pushes).as("nobody else notices").isEqualTo(pushes);
    fleet.change(fleet.host("y", "2"));
    assertThat(answers("odd", "y:2", "z:1", "w:1")).isTrue();
  }

  @Test
  void afterARestartItGoesOnWithItsLastSelection() {
    start("odd");
    fleet.change(fleet.host("x", BIG));
    fleet.leave("odd");
    fleet.change(fleet.host("y", "2"));
    fleet.join("odd", "a", BIG);

    assertThat(answers("odd", "x:1", "y:2", "z:1", "w:1")).isTrue();
    assertThat(lacks("odd")).containsExactly("x@2/1");
  }

  @Test
  void soItDoesAfterARestartOfTheControlPlane() {
    start("odd");
    fleet.change(fleet.host("x", BIG));
    Fleet.Member e1 = fleet.proxy("e1");
    Fleet.Member e2 = fleet.proxy("e2");
    Fleet.Member odd = fleet.proxy("odd");
    fleet.restart();
    fleet.join("e1", e1).join("e2", e2).join("odd", odd);
    fleet.advance(Duration.ofSeconds(20));
    fleet.change(fleet.host("y", "2"));

    assertThat(answers("odd", "x:1", "y:2", "z:1", "w:1")).isTrue();
    assertThat(lacks("odd")).containsExactly("x@2/1");
  }

  @Test
  void ifItCannotRunAPartOfItsSelectionItIsShownAllOfItThoughNothingHappens() {
    start("odd");
    fleet.needAllOfTheirOwn.add("odd");
    fleet.change(fleet.host("x", BIG), fleet.host("y", "2"));
    assertThat(fleet.isShownAllOfItsOwn("odd")).isFalse();

    fleet.pass(Duration.ofSeconds(6));

    assertThat(fleet.isShownAllOfItsOwn("odd")).isTrue();
    fleet.settle();
    assertThat(answers("odd", "x:1", "y:2", "z:1", "w:1")).isTrue();
  }

  @Test
  void onceItAcceptsEverythingItIsServedAsItsClass() {
    start("odd");
    fleet.change(fleet.host("x", BIG));
    assertThat(fleet.rollouts.ofProxies()).containsOnlyKeys("odd");
    fleet.change(fleet.host("x", "3"));

    assertThat(answers("odd", "x:3", "y:1")).isTrue();
    assertThat(fleet.rollouts.ofProxies()).isEmpty();
    assertThat(fleet.byClass).isEmpty();
  }

  @Test
  void whatIsDeletedIsGoneFromItToo() {
    start("odd");
    fleet.change(fleet.host("x", BIG));
    fleet.delete(new ObjectKey("HTTPProxy", "default", "y"));
    assertThat(fleet.proxy("odd").has("y:")).isFalse();
    assertThat(answers("odd", "x:1", "z:1")).isTrue();

    fleet.delete(new ObjectKey("HTTPProxy", "default", "x"));
    assertThat(fleet.proxy("odd").has("x:")).isFalse();
    assertThat(fleet.rollouts.ofProxies()).isEmpty();
  }

  @Test
  void itIsKnownWhatItRunsAlsoIfAPolicyInItHasLostItsHost() {
    start("odd");
    fleet.change(new Policies().of("for-y", "y", "fine"));
    assertThat(fleet.proxy("odd").has("fine")).isTrue();
    Fleet.Member odd = fleet.leave("odd");
    fleet.delete(new ObjectKey("HTTPProxy", "default", "y"));
    fleet.change(fleet.host("x", BIG), fleet.host("z", "2"));

    fleet.join("odd", odd);

    assertThat(lacks("odd")).containsExactly("x@2/1");
    assertThat(answers("odd", "x:1", "z:2", "w:1")).isTrue();
    assertThat(odd.has("y:")).isFalse();
  }

  @Test
  void itIsKnownWhatItRunsAlsoIfThatWasDeletedAndWrittenAgain() {
    start("odd");
    Fleet.Member odd = fleet.leave("odd");
    fleet.delete(new ObjectKey("HTTPProxy", "default", "y"));
    fleet.change(fleet.host("x", BIG), fleet.host("y", "2"));

    fleet.join("odd", odd);

    assertThat(lacks("odd")).containsExactly("x@2/1");
    assertThat(answers("odd", "x:1", "y:2", "z:1", "w:1")).isTrue();
  }

  @Test
  void itMayNotRunSeveral() {
    start();
    fleet.change(fleet.host("x", BIG), fleet.host("z", BIG));
    fleet.join("odd", "a", BIG);

    assertThat(lacks("odd")).containsExactly("x@2/0", "z@2/0");
    assertThat(answers("odd", "y:1", "w:1")).isTrue();
    assertThat(fleet.rollouts.heldForProxy("odd"))
        .allMatch(hold -> hold.reason() == Hold.Reason.REJECTED);
  }

  @Test
  void oneThatRefusesEverythingIsLeftAlone() {
    start();
    fleet.join("odd", "a", ":");
    assertThat(fleet.rollouts.diverged()).containsOnlyKeys("odd");
    int pushes = fleet.proxy("odd").pushes;
    fleet.advance(Duration.ofMinutes(10));
    assertThat(fleet.proxy("odd").pushes - pushes).isLessThan(10);

    fleet.change(fleet.host("y", "2"));
    assertThat(answers("e1", "y:2")).isTrue();
    assertThat(answers("e3", "y:2")).isTrue();
  }
}
