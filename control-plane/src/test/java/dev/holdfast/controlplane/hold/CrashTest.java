// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.envoy.FakeEnvoy;
import dev.holdfast.testkit.envoy.RequestOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The control plane ends after each single step of an incident, by itself or killed, with what was
 * written until then: what comes of the incident is the same, Envoys that go on serving go on
 * serving, and one that starts over is never served less than was good before.
 */
class CrashTest {
  private static final String BEFORE =
      Objects.host("a", 201)
          + Objects.host("b", 201)
          + Objects.host("c", 201)
          + Objects.service("s", "10.0.0.1")
          + Objects.forward("f", "s");
  private static final String AFTER =
      Objects.host("a", 202)
          + Objects.bad("b", 202)
          + Objects.host("c", 202)
          + Objects.host("d", 201)
          + Objects.bad("e", 201);

  /** With a cluster that routes need, and another that they need no longer. */
  private static final String AFTER_WITH_CLUSTERS =
      AFTER + Objects.service("t", "10.0.0.2") + Objects.forward("f", "t");

  /** What a client may see of the hosts that were there before. */
  private static final Map<String, Set<Integer>> SERVED =
      new TreeMap<>(
          Map.of("a", Set.of(201, 202), "b", Set.of(201), "c", Set.of(201, 202), "f", Set.of(200)));

  private record Ending(SortedMap<String, String> statuses, List<Integer> answers) {}

  @ParameterizedTest
  @CsvSource({
    "true, KILL, warm", "true, KILL, cold", "true, TERM, warm", "true, TERM, cold",
    "false, KILL, warm", "false, KILL, cold", "false, TERM, warm", "false, TERM, cold"
  })
  void theOutcomeIsTheSameWhereverItEnds(boolean delta, String signal, String envoys) {
    play(delta, signal, envoys, AFTER);
  }

  @ParameterizedTest
  @CsvSource({"true, KILL, warm", "true, KILL, cold", "false, KILL, warm", "false, KILL, cold"})
  void clustersOfTheTrialStayUntilNothingRefersToThem(boolean delta, String signal, String envoys) {
    play(delta, signal, envoys, AFTER_WITH_CLUSTERS);
  }

  private static void play(boolean delta, String signal, String envoys, String edit) {
    World reference = begin(delta, edit);
    int steps = 0;
    while (reference.stepOrWait()) {
      steps++;
    }
    Ending expected = end(reference.settle(), delta);
    assertThat(expected.statuses())
        .containsEntry("HTTPProxy/b", "False/Rejected 1/2")
        .containsEntry("HTTPProxy/e", "False/RejectedNew 0/1")
        .containsEntry("HTTPProxy/a", "True/Programmed 2/2")
        .containsEntry("HTTPProxy/d", "True/Programmed 1/1");
    assertThat(steps).isGreaterThan(20);

    for (int at = 0; at <= steps; at++) {
      World world = begin(delta, edit);
      for (int i = 0; i < at; i++) {
        world.stepOrWait();
      }
      if (signal.equals("KILL")) {
        world.kill();
      } else {
        world.terminate();
      }
      if (envoys.equals("cold")) {
        world.envoy("e1").restart();
      }
      world.advance(Duration.ofMillis(100));
      world.up().settle();
      assertThat(end(world, delta)).as("after step %s of %s", at, steps).isEqualTo(expected);
    }
  }

  /** An Envoy serves, and the edit has just been seen. */
  private static World begin(boolean delta, String edit) {
    World world = new World().up();
    world.join("e1", delta);
    world.write(BEFORE).settle();
    world.watch = () -> SERVED.forEach((name, allowed) -> check(world.envoy("e1"), name, allowed));
    return world.write(edit);
  }

  private static void check(FakeEnvoy envoy, String name, Set<Integer> allowed) {
    if (envoy.isReady()) {
      RequestOutcome outcome = envoy.route(Objects.fqdn(name), "/");
      assertThat(allowed).as("%s: %s", name, outcome).contains(outcome.status());
    }
  }

  /**
   * How it ended, for the Envoy that was there and for one that starts now. A second Envoy confirms
   * what the first one has refused; a third one never sees it.
   */
  private static Ending end(World world, boolean delta) {
    world.watch = () -> {};
    world.nothingRefusedWasSentMoreOftenThan(2);
    SortedMap<String, String> statuses = world.statuses();
    FakeEnvoy second = world.join("e2", delta);
    world.settle();
    assertThat(world.statuses()).isEqualTo(statuses);
    assertThat(second.received().stream().filter(response -> !response.reason().isEmpty()))
        .hasSizeLessThanOrEqualTo(2);
    FakeEnvoy cold = world.join("e3", delta);
    world.settle();
    assertThat(world.statuses()).isEqualTo(statuses);
    assertThat(answers(second)).isEqualTo(answers(cold));
    assertThat(cold.received()).noneMatch(response -> !response.reason().isEmpty());
    List<Integer> answers = answers(world.envoy("e1"));
    assertThat(answers(cold)).isEqualTo(answers);
    world.close();
    return new Ending(statuses, answers);
  }

  private static List<Integer> answers(FakeEnvoy envoy) {
    return List.of("a", "b", "c", "d", "e", "f").stream()
        .map(name -> envoy.route(Objects.fqdn(name), "/").status())
        .toList();
  }
}
