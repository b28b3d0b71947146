// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.envoy.AnswerMode;
import dev.holdfast.testkit.envoy.FakeEnvoy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * X, Y and Z change before anything was said of the first of them: exactly the bad ones are held,
 * whichever they are, in whatever order they came, and whenever an answer came in between.
 */
class InFlightTest {
  private static final List<String> ORDERS = List.of("xyz", "xzy", "yxz", "yzx", "zxy", "zyx");

  /** When the changes are seen. */
  enum Timing {
    /** All in one look at the source. */
    TOGETHER,
    /** One after the other, before Envoy has heard of any. */
    AT_ONCE,
    /** One after the other, while Envoy is busy with something else. */
    WHILE_ENVOY_HANGS,
    /** Each a few steps after the one before it. */
    INTERLEAVED
  }

  static Stream<Arguments> all() {
    return ORDERS.stream()
        .flatMap(
            order ->
                Stream.of(Timing.values())
                    .flatMap(
                        timing ->
                            Stream.of(true, false)
                                .map(delta -> Arguments.of(order, timing, delta))));
  }

  @ParameterizedTest
  @MethodSource("all")
  void exactlyTheBadOnesAreHeld(String order, Timing timing, boolean delta) {
    for (int bad = 0; bad < 8; bad++) {
      if (timing == Timing.INTERLEAVED) {
        for (int steps : new int[] {1, 4, 13}) {
          play(order, timing, delta, bad, steps);
        }
      } else {
        play(order, timing, delta, bad, 0);
      }
    }
  }

  private static void play(String order, Timing timing, boolean delta, int bad, int steps) {
    World world = new World().up();
    FakeEnvoy envoy = world.join("e1", delta);
    world.write(Objects.host("w", 201) + each("xyz", name -> Objects.host(name, 201))).settle();
    world.watch = () -> assertThat(envoy.route(Objects.fqdn("w"), "/").status()).isEqualTo(201);

    if (timing == Timing.WHILE_ENVOY_HANGS) {
      envoy.conduct(AnswerMode.HANGING);
      world.run();
    }
    List<String> edits = new ArrayList<>();
    order.chars().forEach(c -> edits.add(edit((char) c, bad)));
    if (timing == Timing.TOGETHER) {
      world.write(String.join("", edits));
    } else {
      for (String edit : edits) {
        world.write(edit);
        if (timing == Timing.WHILE_ENVOY_HANGS) {
          world.run();
        }
        IntStream.range(0, steps).forEach(i -> world.step());
      }
    }
    envoy.conduct(AnswerMode.PROMPT);
    world.settle();

    String what = "%s %s %s bad=%s steps=%s".formatted(order, timing, delta, bad, steps);
    List<String> held = new ArrayList<>();
    for (char c : "xyz".toCharArray()) {
      boolean good = isGood(c, bad);
      String name = String.valueOf(c);
      assertThat(envoy.route(Objects.fqdn(name), "/").status())
          .as("%s: %s", what, name)
          .isEqualTo(good ? 202 : 201);
      assertThat(world.said(Objects.proxy(name)))
          .as("%s: %s", what, name)
          .isEqualTo(good ? "True/Programmed 2/2" : "False/Rejected 1/2");
      if (!good) {
        held.add(name + "@2/1 Rejected");
      }
    }
    assertThat(world.held()).as(what).isEqualTo(held);
    world.nothingRefusedWasSentAgain();
    world.close();
  }

  private static String each(String names, java.util.function.Function<String, String> host) {
    StringBuilder text = new StringBuilder();
    names.chars().forEach(c -> text.append(host.apply(String.valueOf((char) c))));
    return text.toString();
  }

  private static boolean isGood(char name, int bad) {
    return (bad >> (name - 'x') & 1) == 0;
  }

  private static String edit(char name, int bad) {
    return Objects.host(String.valueOf(name), 202, isGood(name, bad));
  }
}
