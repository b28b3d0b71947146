// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.serve.Plane;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Three authors edit their hosts before any of them has been answered: a frozen Envoy answers
 * nobody. Every order and all eight cases are played on the fake one, step by step, elsewhere.
 */
@ParameterizedClass
@ValueSource(strings = {"real delta", "real sotw"})
record TogetherTest(String kind) {
  @SuppressWarnings("NullAway.Init") // before the first test
  private static Scene scene;

  @BeforeParameterizedClassInvocation
  static void start(String kind) {
    scene = Scene.start(kind);
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    scene.close();
  }

  @ParameterizedTest
  @CsvSource({"xyz, y", "zyx, xz", "yzx, xyz", "zxy, z"})
  void exactlyTheBadOnesAreHeld(String order, String bad) {
    for (char c : "xyz".toCharArray()) {
      scene.plane().write(c + ".yaml", Hosts.good(name(order, c), "one"));
    }
    for (char c : "xyz".toCharArray()) {
      scene.plane().awaitProgrammed("HTTPProxy/default/" + name(order, c), 1);
    }
    Peer.Real envoy = (Peer.Real) scene.peer();
    envoy.envoy().freeze();
    for (int i = 0; i < order.length(); i++) {
      char c = order.charAt(i);
      String name = name(order, c);
      scene
          .plane()
          .write(c + ".yaml", isBad(c, bad) ? Hosts.bad(name, "two") : Hosts.good(name, "two"));
      Plane.await(
          name + " is seen",
          () ->
              scene.plane().object("HTTPProxy/default/" + name).get("generation").getAsLong() == 2);
    }
    envoy.envoy().thaw();

    List<String> held = new ArrayList<>();
    for (char c : "xyz".toCharArray()) {
      String name = name(order, c);
      if (isBad(c, bad)) {
        held.add(name + "@2/1 Rejected");
        scene.plane().awaitSaid("HTTPProxy/default/" + name, "Programmed", "Rejected");
      } else {
        scene.plane().awaitProgrammed("HTTPProxy/default/" + name, 2);
      }
    }
    assertThat(scene.held()).isEqualTo(held);
    for (char c : "xyz".toCharArray()) {
      scene.awaitGet(Hosts.fqdn(name(order, c)), "/", isBad(c, bad) ? "200 one" : "200 two");
      scene.plane().delete(c + ".yaml");
    }
    Plane.await(
        "they are gone",
        () -> {
          scene.plane().confirmDeletions();
          return scene.held().isEmpty();
        });
  }

  private static String name(String order, char c) {
    return order + "-" + c;
  }

  private static boolean isBad(char c, String bad) {
    return bad.indexOf(c) >= 0;
  }
}
