// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.holdfast.controlplane.rollout.trial.DisagreementPolicy;
import dev.holdfast.interop.serve.Plane;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Envoys of one program that do not judge alike: for some of them regular expressions may be large.
 */
@ParameterizedClass
@ValueSource(strings = {"real delta", "real sotw", "fake delta", "fake sotw"})
record DisagreementTest(String kind) {
  private static final int LARGE = 100_000;
  private static final String X = "HTTPProxy/default/x";
  private static final String Y = "HTTPProxy/default/y";

  private Scene scene(DisagreementPolicy disagreement) {
    return Scene.of(
        kind,
        Plane.start(
            disagreement, "x.yaml", Hosts.good("x", "one"), "y.yaml", Hosts.good("y", "one")));
  }

  private static void sees(Peer peer, String name, String expected) {
    Plane.await(
        name + " is answered by " + expected,
        () -> peer.get(Hosts.fqdn(name), "/").equals(expected));
  }

  /** The counts of an object in a class whose name ends in a group: programmed/total. */
  private static String counts(Plane plane, String key, String group) {
    return plane.object(key).getAsJsonObject("byClass").entrySet().stream()
        .filter(entry -> entry.getKey().endsWith(" " + group))
        .map(entry -> entry.getValue().getAsJsonObject())
        .map(count -> count.get("programmed").getAsInt() + "/" + count.get("total").getAsInt())
        .findFirst()
        .orElse("none");
  }

  private static List<String> heldFor(Plane plane) {
    return plane.items("/api/v1/holds").stream()
        .map(hold -> hold.get("heldFor").getAsString())
        .toList();
  }

  @Test
  void whatOneClassRefusesIsHeldForAll() {
    try (Scene scene = scene(DisagreementPolicy.UNIFORM)) {
      Plane plane = scene.plane();
      Peer lax = scene.join("lax", "a", LARGE);
      Peer strict = scene.join("strict", "b", Peer.USUAL);
      sees(lax, "x", "200 one");
      sees(strict, "x", "200 one");
      plane.awaitProgrammed(X, 1);
      plane.awaitProgrammed(Y, 1);
      Plane.await(
          "no class is new",
          () -> plane.items("/api/v1/proxies").stream().noneMatch(proxy -> proxy.has("newClass")));

      plane.write("x.yaml", Hosts.bad("x", "two"));
      Plane.Said said = plane.awaitSaid(X, "Programmed", "Rejected");
      assertThat(said.message()).contains("RE2 program size").endsWith("serving generation 1");
      plane.write("y.yaml", Hosts.good("y", "two"));
      plane.awaitProgrammed(Y, 2);
      for (Peer peer : new Peer[] {lax, strict}) {
        sees(peer, "y", "200 two");
        sees(peer, "x", "200 one");
      }
      assertThat(heldFor(plane)).containsExactly("");
    }
  }

  @Test
  void whatOneClassRefusesIsHeldForThatClassIfThatIsWishedAlsoAfterARestart() {
    try (Scene scene = scene(DisagreementPolicy.PER_CLASS)) {
      Plane plane = scene.plane();
      Peer lax = scene.join("lax", "a", LARGE);
      Peer strict = scene.join("strict", "b", Peer.USUAL);
      sees(lax, "x", "200 one");
      sees(strict, "x", "200 one");
      plane.awaitProgrammed(X, 1);
      plane.awaitProgrammed(Y, 1);

      plane.write("x.yaml", Hosts.bad("x", "two"));
      sees(lax, "x", "200 two");
      plane.awaitMessage(
          X, "Programmed", "b is served generation 1, all other classes generation 2");
      assertThat(plane.said(X, "Programmed").reason()).isEqualTo("Rejected");
      sees(strict, "x", "200 one");
      Plane.awaitAsserted( // Envoy serves it before it has said so
          () -> {
            assertThat(counts(plane, X, "a")).isEqualTo("1/1");
            assertThat(counts(plane, X, "b")).isEqualTo("0/1");
            assertThat(plane.object(X).get("servedGeneration").getAsLong()).isEqualTo(2);
          });
      assertThat(heldFor(plane)).singleElement().asString().endsWith(" b");

      plane.write("y.yaml", Hosts.good("y", "two"));
      plane.awaitProgrammed(Y, 2);
      sees(lax, "y", "200 two");
      sees(strict, "y", "200 two");

      plane.down();
      plane.up();
      Peer cold = scene.join("cold", "b", Peer.USUAL);
      sees(cold, "x", "200 one");
      sees(cold, "y", "200 two");
      sees(lax, "x", "200 two");
      sees(strict, "x", "200 one");

      plane.write("x.yaml", Hosts.good("x", "two"));
      plane.awaitProgrammed(X, 3);
      sees(strict, "x", "200 two");
      sees(cold, "x", "200 two");
      scene.awaitHeld();
    }
  }

  @Test
  void aClassThatComesLaterAndRefusesWhatIsServedGetsASelectionOfItsOwn() {
    try (Scene scene = scene(DisagreementPolicy.UNIFORM)) {
      Plane plane = scene.plane();
      Peer lax = scene.join("lax", "a", LARGE);
      sees(lax, "y", "200 one");
      plane.write("x.yaml", Hosts.bad("x", "two"));
      plane.awaitProgrammed(X, 2);
      sees(lax, "x", "200 two");

      Peer strict = scene.join("strict", "b", Peer.USUAL);
      sees(strict, "y", "200 one");
      sees(strict, "x", "404");
      plane.awaitMessage(
          X, "Programmed", "b is not served this object, all other classes generation 2");
      assertThat(plane.said(X, "Programmed").reason()).isEqualTo("Rejected");
      plane.awaitProgrammed(Y, 1);
      sees(lax, "x", "200 two");

      plane.write("y.yaml", Hosts.good("y", "two"));
      plane.awaitProgrammed(Y, 2);
      sees(strict, "y", "200 two");
      sees(lax, "y", "200 two");
      sees(lax, "x", "200 two");

      plane.write("x.yaml", Hosts.good("x", "one"));
      plane.awaitProgrammed(X, 3);
      sees(strict, "x", "200 one");
      scene.awaitHeld();
    }
  }

  @Test
  void oneThatRefusesWhatItsClassRunsIsDivergedAndHoldsNobodyUp() {
    try (Scene scene = scene(DisagreementPolicy.UNIFORM)) {
      Plane plane = scene.plane();
      Peer first = scene.join("e1", "a", LARGE);
      Peer odd = scene.join("e2", "a", Peer.USUAL);
      Peer third = scene.join("e3", "a", LARGE);
      sees(first, "x", "200 one");
      sees(odd, "x", "200 one");
      sees(third, "x", "200 one");
      plane.awaitProgrammed(X, 1);
      plane.awaitProgrammed(Y, 1);

      plane.write("x.yaml", Hosts.bad("x", "two"));
      plane.awaitProgrammed(X, 2);
      sees(first, "x", "200 two");
      Plane.await("it is diverged", () -> diverged(plane).equals(List.of("e2")));
      assertThat(plane.metric("holdfast_diverged_proxies")).isEqualTo(1);
      sees(odd, "x", "200 one");

      // Nobody waits for it, and what it accepts it gets.
      plane.write("x.yaml", Hosts.good("x", "one"));
      plane.write("y.yaml", Hosts.good("y", "two"));
      plane.awaitProgrammed(X, 3);
      plane.awaitProgrammed(Y, 2);
      sees(first, "y", "200 two");
      sees(odd, "y", "200 two");
      assertThat(diverged(plane)).containsExactly("e2");
      assertThat(scene.held()).isEmpty();
      assertThat(happened(plane, "PROXY_DIVERGED")).isEqualTo(1);
    }
  }

  private static List<String> diverged(Plane plane) {
    return plane.items("/api/v1/proxies").stream()
        .filter(proxy -> proxy.get("diverged").isJsonObject())
        .filter(DisagreementTest::saysWhy)
        .map(proxy -> proxy.get("node").getAsString())
        .toList();
  }

  private static boolean saysWhy(JsonObject proxy) {
    return proxy
        .getAsJsonObject("diverged")
        .get("message")
        .getAsString()
        .contains("RE2 program size");
  }

  private static long happened(Plane plane, String kind) {
    return plane.items("/api/v1/history").stream()
        .map(entry -> entry.get("kind"))
        .filter(entry -> entry.getAsString().equals(kind))
        .count();
  }
}
