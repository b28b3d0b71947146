// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.ledger.DecisionProbe;
import dev.holdfast.testkit.envoy.FakeEnvoy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/** An error of our own, wherever it happens, stops nothing else. */
class InternalErrorTest {
  private final World world = new World();

  /** Fails at a point as often as this says. */
  private static final class Trap implements DecisionProbe {
    private final Point where;
    private int left;

    Trap(Point where, int times) {
      this.where = where;
      this.left = times;
    }

    @Override
    public void at(Point point) {
      if (point == where && left > 0) {
        left--;
        throw new StackOverflowError("a trap");
      }
    }
  }

  private FakeEnvoy start() {
    world.up();
    FakeEnvoy envoy = world.join("e1", /* delta= */ true);
    world.write(Objects.host("a", 201) + Objects.host("b", 201)).settle();
    assertThat(world.said(Objects.proxy("a"))).isEqualTo("True/Programmed 1/1");
    world.watch = () -> assertThat(envoy.route(Objects.fqdn("b"), "/").status()).isEqualTo(201);
    return envoy;
  }

  @ParameterizedTest
  @EnumSource(DecisionProbe.Point.class)
  void afterAnErrorAnywhereTheEditIsServedAllTheSame(DecisionProbe.Point point) {
    FakeEnvoy envoy = start();
    Trap trap = new Trap(point, 1);
    world.probe = trap;
    boolean needsABadOne =
        point == DecisionProbe.Point.ATTRIBUTION || point == DecisionProbe.Point.NACK;
    if (needsABadOne) {
      world.write(Objects.host("a", 202) + Objects.host("b", 201) + Objects.bad("c", 203));
    } else {
      world.write(Objects.host("a", 202) + Objects.host("b", 201));
    }
    world.settle().advance(Duration.ofSeconds(70));

    assertThat(trap.left).as("it was reached").isZero();
    assertThat(world.said(Objects.proxy("a"))).isEqualTo("True/Programmed 2/2");
    assertThat(envoy.route(Objects.fqdn("a"), "/").status()).isEqualTo(202);
    assertThat(world.held())
        .isEqualTo(needsABadOne ? java.util.List.of("c@1/0 RejectedNew") : java.util.List.of());
    if (point != DecisionProbe.Point.JOURNAL) { // a write that fails is told as such
      assertThat(world.internalErrors().count()).isEqualTo(1);
      assertThat(world.internalErrors().message()).contains("StackOverflowError");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = DecisionProbe.Point.class,
      names = {"TRANSLATION", "TRIAL_CHECK"},
      mode = Mode.INCLUDE)
  void theObjectInHandIsHeldAndSaysSo(DecisionProbe.Point point) {
    start();
    world.probe = new Trap(point, 2); // the first retry follows at once
    world.write(Objects.host("a", 202) + Objects.host("b", 201)).run();

    assertThat(world.held()).containsExactly("a@2/1 AttributionPending");
    world.settle();
    assertThat(world.told).anyMatch(line -> line.contains("internal error"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anErrorAtAStartCostsNoHostThatWasServed(boolean edited) {
    FakeEnvoy envoy = start();
    world.kill();
    world.probe = new Trap(DecisionProbe.Point.INTAKE, 2); // of both objects
    world.write(Objects.host("a", edited ? 202 : 201) + Objects.host("b", 201));
    world.up().run();
    world.watch.run();
    world.settle().advance(Duration.ofSeconds(70));

    assertThat(world.internalErrors().count()).isEqualTo(2);
    assertThat(envoy.route(Objects.fqdn("a"), "/").status()).isEqualTo(edited ? 202 : 201);
    assertThat(world.held()).isEmpty();
  }

  @Test
  void anObjectThatAlwaysFailsKeepsNobodyElseFromBeingServed() {
    FakeEnvoy envoy = start();
    world.probe = new Trap(DecisionProbe.Point.TRANSLATION, 4);
    world.write(Objects.host("a", 202) + Objects.host("b", 201)).settle();
    world.advance(Duration.ofMinutes(2));
    assertThat(world.held()).containsExactly("a@2/1 AttributionPending");

    world.write(Objects.host("a", 202) + Objects.host("b", 201) + Objects.host("c", 204)).settle();
    assertThat(envoy.route(Objects.fqdn("c"), "/").status()).isEqualTo(204);
    assertThat(world.held()).containsExactly("a@2/1 AttributionPending");
    world.write(Objects.host("a", 205) + Objects.host("b", 201) + Objects.host("c", 204)).settle();
    assertThat(world.held()).as("an edit is another chance").isEmpty();
    assertThat(envoy.route(Objects.fqdn("a"), "/").status()).isEqualTo(205);
  }

  @ParameterizedTest
  @EnumSource(
      value = DecisionProbe.Point.class,
      names = {"TRANSLATION", "TRIAL_CHECK", "ACTION"},
      mode = Mode.INCLUDE)
  void aNewHostAndItsPolicyDoNotWaitForEachOtherAfterwards(DecisionProbe.Point point) {
    FakeEnvoy envoy = start();
    world.probe = new Trap(point, 2);
    world
        .write(
            Objects.host("a", 201)
                + Objects.host("b", 201)
                + Objects.host("c", 204)
                + Objects.policy("x", "c"))
        .settle()
        .advance(Duration.ofMinutes(2));

    assertThat(world.held()).isEmpty();
    assertThat(envoy.route(Objects.fqdn("c"), "/").status()).isEqualTo(204);
  }
}
