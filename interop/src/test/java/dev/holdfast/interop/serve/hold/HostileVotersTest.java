// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.holdfast.controlplane.rollout.trial.DisagreementPolicy;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.testkit.envoy.EnvoyOptions;
import dev.holdfast.testkit.envoy.FakeEnvoy;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One proxy that lies, or is unlike the others, changes nothing for anybody else. Real Envoys
 * answer the requests; who lies is a client of ours that calls itself what they call themselves.
 */
class HostileVotersTest {
  private static final String A = "HTTPProxy/default/a";
  private static final String B = "HTTPProxy/default/b";
  private static final int LARGE = 100_000;

  /** What a client says of itself to be taken for one of the Envoys. */
  private static EnvoyOptions disguise = EnvoyOptions.delta("");

  @BeforeAll
  static void readWhatEnvoysSayOfThemselves() {
    try (EnvoyProcess envoy =
        EnvoyProcess.start(
            EnvoyBootstrap.delta(1).yaml(), Peer.WITHOUT_RING_HASH.toArray(new String[0]))) {
      JsonObject node = envoy.admin().json("/server_info").getAsJsonObject("node");
      Set<String> types = new TreeSet<>();
      for (JsonElement extension : node.getAsJsonArray("extensions")) {
        JsonElement urls = extension.getAsJsonObject().get("type_urls");
        if (urls != null) {
          urls.getAsJsonArray().forEach(url -> types.add(url.getAsString()));
        }
      }
      JsonObject version =
          node.getAsJsonObject("user_agent_build_version").getAsJsonObject("version");
      disguise =
          disguise
              .withGroup("a")
              .withVersion(
                  "%d.%d.%d"
                      .formatted(
                          number(version, "major_number"),
                          number(version, "minor_number"),
                          number(version, "patch")))
              .withExtensions(types);
    }
  }

  private static int number(JsonObject version, String part) {
    return version.has(part) ? version.get(part).getAsInt() : 0;
  }

  private static FakeEnvoy hostile(Plane plane, String node, String group, AtomicBoolean refuses) {
    FakeEnvoy client = start(plane, node, group, refuses);
    Plane.await(node + " is connected", () -> !proxy(plane, node).isEmpty());
    return client;
  }

  private static FakeEnvoy start(Plane plane, String node, String group, AtomicBoolean refuses) {
    EnvoyOptions options =
        EnvoyOptions.delta(node)
            .withGroup(group)
            .withVersion(disguise.version())
            .withExtensions(disguise.extensions())
            .withValidators(List.of(message -> refuses.get() ? "no" : null));
    return FakeEnvoy.start(options, plane.xdsPort());
  }

  private static long stream(Plane plane, String node) {
    return proxy(plane, node)
        .getAsJsonArray("streams")
        .get(0)
        .getAsJsonObject()
        .get("id")
        .getAsLong();
  }

  private static JsonObject proxy(Plane plane, String node) {
    return plane.items("/api/v1/proxies").stream()
        .filter(proxy -> proxy.get("node").getAsString().equals(node))
        .findFirst()
        .orElseGet(JsonObject::new);
  }

  private static boolean isDiverged(Plane plane, String node) {
    return proxy(plane, node).get("diverged").isJsonObject();
  }

  private static Plane plane() {
    return Plane.start(
        DisagreementPolicy.PER_CLASS,
        "a.yaml",
        Hosts.good("a", "one"),
        "b.yaml",
        Hosts.good("b", "one"));
  }

  /** Three Envoys, which serve both hosts. */
  private static List<Peer> join(Scene scene) {
    List<Peer> peers = List.of(scene.join("e1"), scene.join("e2"), scene.join("e3"));
    served(scene.plane(), peers);
    return peers;
  }

  private static void served(Plane plane, List<Peer> peers) {
    for (Peer peer : peers) {
      for (String host : List.of("a", "b")) {
        Plane.await(host, () -> peer.get(Hosts.fqdn(host), "/").equals("200 one"));
      }
    }
    plane.awaitProgrammed(A, 1);
    plane.awaitProgrammed(B, 1);
  }

  private static void all(List<Peer> peers, String host, String expected) {
    for (Peer peer : peers) {
      Plane.await(
          host + " is answered by " + expected,
          () -> peer.get(Hosts.fqdn(host), "/").equals("200 " + expected));
    }
  }

  @Test
  void whoAcceptsEverythingMakesNothingProgrammedThatIsBroken() {
    try (Scene scene = Scene.of("real delta", plane());
        FakeEnvoy liar = hostile(scene.plane(), "e0", "a", new AtomicBoolean())) {
      Plane plane = scene.plane();
      List<Peer> peers = join(scene);
      assertThat(proxy(plane, "e0").get("class")).isEqualTo(proxy(plane, "e1").get("class"));

      plane.write("a.yaml", Hosts.bad("a", "two"));
      Plane.Said said = plane.awaitSaid(A, "Programmed", "Rejected");
      assertThat(said.message()).contains("serving generation 1").doesNotContain("judged by one");
      plane.write("b.yaml", Hosts.good("b", "two"));
      plane.awaitProgrammed(B, 2);

      all(peers, "a", "one");
      all(peers, "b", "two");
      assertThat(isDiverged(plane, "e0")).isTrue();
      assertThat(liar.isReady()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoRefusesEverythingHoldsNobody(boolean closes) {
    AtomicBoolean refuses = new AtomicBoolean();
    try (Scene scene = Scene.of("real delta", plane())) {
      Plane plane = scene.plane();
      FakeEnvoy liar = hostile(plane, "e0", "a", refuses);
      List<Peer> peers = join(scene);
      assertThat(proxy(plane, "e0").get("class")).isEqualTo(proxy(plane, "e1").get("class"));

      double before = edits(plane, peers, 2, closes);
      refuses.set(true);
      double during = edits(plane, peers, 6, closes);
      assertThat(isDiverged(plane, "e0")).isTrue();
      liar.close();
      double after = edits(plane, peers, 10, closes);

      System.out.printf(
          "hostile: a good edit is programmed in %.0f ms before, %.0f during, %.0f after%n",
          before, during, after);
      assertThat(scene.held()).isEmpty();
    }
  }

  /** Four edits of two hosts; the result is how long one took, in milliseconds. */
  private static double edits(Plane plane, List<Peer> peers, int generation, boolean closes) {
    long began = System.nanoTime();
    for (int i = 0; i < 4; i++) {
      String service = i % 2 == 0 ? "two" : "one";
      for (String host : List.of("a", "b")) {
        String text = Hosts.good(host, service);
        plane.write(
            host + ".yaml",
            closes
                ? text.replace(
                    "annotations: {}", "annotations: {holdfast.dev/on-reject: respond-503}")
                : text);
      }
      plane.awaitProgrammed(A, generation + i);
      plane.awaitProgrammed(B, generation + i);
      for (Peer peer : peers) {
        for (String host : List.of("a", "b")) {
          assertThat(peer.get(Hosts.fqdn(host), "/")).isEqualTo("200 " + service);
        }
      }
    }
    return (System.nanoTime() - began) / 1e6 / 4;
  }

  @Test
  void twoThatRefuseAreBelievedAgainstOneThatAccepts() {
    try (Scene scene = Scene.of("real delta", plane())) {
      Plane plane = scene.plane();
      List<Peer> peers =
          List.of(
              scene.join("e1", "a", LARGE),
              scene.join("e2", "a", Peer.USUAL),
              scene.join("e3", "a", Peer.USUAL));
      served(plane, peers);
      plane.write("a.yaml", Hosts.bad("a", "two"));
      plane.awaitSaid(A, "Programmed", "Rejected");
      plane.write("b.yaml", Hosts.good("b", "two"));
      plane.awaitProgrammed(B, 2);

      all(peers, "a", "one");
      all(peers, "b", "two");
      assertThat(isDiverged(plane, "e2") || isDiverged(plane, "e3")).isFalse();
    }
  }

  @Test
  void twoThatAcceptAreBelievedAgainstOneThatRefuses() {
    try (Scene scene = Scene.of("real delta", plane())) {
      Plane plane = scene.plane();
      Peer odd = scene.join("e1", "a", Peer.USUAL);
      List<Peer> others = List.of(scene.join("e2", "a", LARGE), scene.join("e3", "a", LARGE));
      served(plane, others);
      plane.write("a.yaml", Hosts.bad("a", "two"));
      plane.awaitProgrammed(A, 2);
      plane.awaitMessage(A, "Programmed", "except 1 that has diverged");

      all(others, "a", "two");
      all(List.of(odd), "a", "one");
      assertThat(isDiverged(plane, "e1")).isTrue();
      assertThat(scene.held()).isEmpty();

      odd.close();
      Plane.await("it is gone", () -> proxy(plane, "e1").isEmpty());
      Peer again = scene.join("e1", "a", Peer.USUAL);
      all(List.of(again), "a", "one"); // as it was before: not 503, nor 404
      all(List.of(again), "b", "one");
      all(others, "a", "two");
      all(others, "b", "one");
      assertThat(scene.held()).isEmpty();
      plane.awaitProgrammed(A, 2); // once it has answered on everything
      plane.awaitProgrammed(B, 1);
    }
  }

  @Test
  void aStrangerIsShownAndChangesNobodysStatus() {
    try (Scene scene = Scene.of("real delta", plane())) {
      Plane plane = scene.plane();
      List<Peer> peers = join(scene);
      AtomicBoolean refuses = new AtomicBoolean(true);
      FakeEnvoy stranger = hostile(plane, "s", "stranger", refuses);
      try (stranger) {
        assertThat(proxy(plane, "s").get("newClass").getAsBoolean()).isTrue();
        for (int generation = 2; generation < 6; generation++) {
          String service = generation % 2 == 0 ? "two" : "one";
          plane.write("a.yaml", Hosts.good("a", service));
          plane.awaitProgrammed(A, generation);
          all(peers, "a", service);
          assertThat(plane.said(B, "Programmed").status()).isEqualTo("True");
        }
      }
    }
  }

  @Test
  void aStolenNodeIdEndsNobodysStreamAndSpeaksForNobody() {
    try (Scene scene = Scene.of("real delta", plane())) {
      Plane plane = scene.plane();
      List<Peer> peers = join(scene);
      long stream = stream(plane, "e1");
      AtomicBoolean refuses = new AtomicBoolean(true);
      for (int generation = 2; generation < 6; generation++) {
        FakeEnvoy thief = start(plane, "e1", "a", refuses);
        try (thief) {
          Plane.await("the thief is seen", () -> !proxy(plane, "e1#2").isEmpty());
          String service = generation % 2 == 0 ? "two" : "one";
          plane.write("a.yaml", Hosts.good("a", service));
          plane.awaitProgrammed(A, generation);
          all(peers, "a", service);
          all(peers, "b", "one");
          assertThat(proxy(plane, "e1#2").get("sharedNodeId").getAsString()).isEqualTo("e1");
          assertThat(isDiverged(plane, "e1")).isFalse();
          assertThat(plane.said(B, "Programmed").status()).isEqualTo("True");
        }
        Plane.await("the thief is gone", () -> proxy(plane, "e1#2").isEmpty());
      }
      assertThat(stream(plane, "e1")).as("the stream of the Envoy").isEqualTo(stream);
      assertThat(scene.held()).isEmpty();
    }
  }

  @Test
  void anEnvoyThatStartsAgainInheritsNothingFromWhoeverUsedItsNodeId() {
    try (Scene scene = Scene.of("real delta", plane())) {
      Plane plane = scene.plane();
      List<Peer> peers = join(scene);
      FakeEnvoy thief = start(plane, "e1", "a", new AtomicBoolean(true));
      try (thief) {
        Plane.await("the thief is seen", () -> !proxy(plane, "e1#2").isEmpty());
        peers.get(0).close();
        Plane.await("it is gone", () -> proxy(plane, "e1").isEmpty());
        served(plane, List.of(scene.join("e1"), peers.get(1), peers.get(2)));
      }
      FakeEnvoy stranger = start(plane, "e9", "a", new AtomicBoolean(true));
      try (stranger) {
        Plane.await("it is seen", () -> !proxy(plane, "e9").isEmpty());
      }
      Plane.await("it is gone", () -> proxy(plane, "e9").isEmpty());
      served(plane, List.of(scene.join("e9"))); // whose id was used while it was away
      assertThat(scene.held()).isEmpty();
    }
  }
}
