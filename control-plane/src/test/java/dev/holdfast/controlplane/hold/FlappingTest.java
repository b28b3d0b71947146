// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.envoy.AnswerMode;
import dev.holdfast.testkit.envoy.FakeEnvoy;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One author makes five mistakes a second, each another one; others hardly notice. */
class FlappingTest {
  private static final int EDITS = 20;
  private static final Duration PERIOD = Duration.ofMillis(200);

  private long generation = 1;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void othersEditsTakeNoMoreThanOneTrialLonger(boolean delta) {
    World world = new World().up();
    FakeEnvoy envoy = world.join("e1", delta);
    world.write(Objects.host("calm", 201) + Objects.host("flap", 201)).settle();
    envoy.conduct(AnswerMode.slow(Duration.ofMillis(20)));
    world.watch = () -> assertThat(envoy.route(Objects.fqdn("flap"), "/").status()).isEqualTo(201);
    world.run();

    Duration alone = edits(world, false);
    Duration beside = edits(world, true);

    assertThat(beside).isLessThan(alone.multipliedBy(5).dividedBy(2));
    assertThat(world.held()).singleElement().asString().startsWith("flap@").endsWith("Rejected");
    world.nothingRefusedWasSentAgain();
    world.close();
  }

  /** The mean time until an edit is served and its author knows. */
  private Duration edits(World world, boolean mistakes) {
    Duration sum = Duration.ZERO;
    for (int i = 0; i < EDITS; i++) {
      Duration phase = Duration.ofMillis(7L * i % 40);
      if (mistakes) {
        world.write(Objects.bad("flap", 300 + i));
      }
      world.advance(phase);
      generation++;
      String wanted = "True/Programmed " + generation + "/" + generation;
      world.write(Objects.host("calm", (int) (200 + generation)));
      Duration took =
          world.await("the edit", () -> world.said(Objects.proxy("calm")).equals(wanted));
      sum = sum.plus(took);
      if (phase.plus(took).compareTo(PERIOD) < 0) {
        world.advance(PERIOD.minus(phase).minus(took));
      }
    }
    return sum.dividedBy(EDITS);
  }
}
