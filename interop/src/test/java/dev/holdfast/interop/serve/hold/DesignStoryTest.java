// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.serve.Docs;
import dev.holdfast.interop.serve.Lua;
import dev.holdfast.interop.serve.Plane;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The story that it all began with: a valid proxy, one with two routes of which one has a script
 * that does not load, and another valid one, all in one edit; on hosts that share one route
 * configuration, and on hosts with TLS, which have one each.
 */
@ParameterizedClass
@ValueSource(strings = {"real delta", "real sotw", "fake delta", "fake sotw"})
record DesignStoryTest(String kind) {
  @SuppressWarnings("NullAway.Init") // before the first test
  private static Scene scene;

  @BeforeParameterizedClassInvocation
  static void start(String kind) {
    scene = Scene.start(kind, "cert.yaml", Hosts.certificate());
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    scene.close();
  }

  private static String proxy(String name) {
    return "HTTPProxy/default/" + name;
  }

  private static String policy(String name) {
    return "ExtensionPolicy/default/" + name;
  }

  /** The route configuration that a host is in. */
  private static String routes(String name, boolean tls) {
    return tls ? "https/" + Hosts.fqdn(name) : "ingress_http";
  }

  private static void expect(boolean tls, String name, String path, String answer) {
    scene.awaitSeen(tls, Hosts.fqdn(name), path, answer);
  }

  private static void marked(boolean tls, String name, String path, String mark) {
    Plane.await(
        name + path + " is marked " + mark,
        () -> scene.peer().mark(Hosts.fqdn(name), path, tls, mark).equals(mark));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theBadOnesPreviousGenerationIsServedAndTheOthersArrive(boolean tls) {
    String t = tls ? "t" : "p";
    Plane plane = scene.plane();
    plane.write(
        t + ".yaml",
        Docs.of(
            Hosts.good(t + "a", tls, "one"),
            Hosts.twoRoutes(t + "b", tls, "one"),
            Hosts.script(t + "b", t + "b", Lua.mark("v1")),
            Hosts.good(t + "c", tls, "one")));
    for (String name : new String[] {"a", "b", "c"}) {
      plane.awaitProgrammed(proxy(t + name), 1);
    }
    plane.awaitProgrammed(policy(t + "b"), 1);
    marked(tls, t + "b", "/x", "v1");
    long before = scene.nacks();

    plane.write(
        t + ".yaml",
        Docs.of(
            Hosts.good(t + "a", tls, "two"),
            Hosts.twoRoutes(t + "b", tls, "one"),
            Hosts.script(t + "b", t + "b", Lua.BROKEN),
            Hosts.good(t + "c", tls, "two")));
    Plane.Said said = plane.awaitSaid(policy(t + "b"), "Programmed", "Rejected");
    assertThat(said.status()).isEqualTo("False");
    assertThat(said.message())
        .matches(
            "generation 2 rejected by envoy 1\\.\\d+\\.\\d+ in RouteConfiguration "
                + routes(t + "b", tls)
                + ": script load error: [^;]+; judged by one proxy; serving generation 1");
    plane.awaitProgrammed(proxy(t + "a"), 2);
    plane.awaitProgrammed(proxy(t + "c"), 2);
    plane.awaitProgrammed(proxy(t + "b"), 1);
    expect(tls, t + "a", "/", "200 two");
    expect(tls, t + "c", "/", "200 two");
    expect(tls, t + "b", "/x", "200 one");
    expect(tls, t + "b", "/y", "200 one");
    marked(tls, t + "b", "/x", "v1");
    assertThat(scene.held()).contains(t + "b@2/1 Rejected");
    assertThat(scene.nacks()).isGreaterThan(before);

    // The author's next edit heals, and nothing of the old one is left.
    plane.write(
        t + ".yaml",
        Docs.of(
            Hosts.good(t + "a", tls, "two"),
            Hosts.twoRoutes(t + "b", tls, "two"),
            Hosts.script(t + "b", t + "b", Lua.mark("v3")),
            Hosts.good(t + "c", tls, "two")));
    plane.awaitProgrammed(policy(t + "b"), 3);
    plane.awaitProgrammed(proxy(t + "b"), 2);
    expect(tls, t + "b", "/x", "200 two");
    marked(tls, t + "b", "/x", "v3");
    assertThat(scene.held()).noneMatch(held -> held.startsWith(t + "b@"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ofABadNewOneNothingIsServedAndTheOthersArrive(boolean tls) {
    String t = tls ? "nt" : "np";
    Plane plane = scene.plane();
    plane.write(
        t + ".yaml",
        Docs.of(
            Hosts.good(t + "a", tls, "one"),
            Hosts.bad(t + "b", tls, "one"),
            Hosts.good(t + "c", tls, "two")));
    Plane.Said said = plane.awaitSaid(proxy(t + "b"), "Programmed", "RejectedNew");
    assertThat(said.message())
        .matches(
            "generation 1 rejected by envoy 1\\.\\d+\\.\\d+ in RouteConfiguration "
                + (tls ? "(ingress_http|https/" + Hosts.fqdn(t + "b") + ")" : "ingress_http")
                + ": .*RE2 program size.*");
    plane.awaitProgrammed(proxy(t + "a"), 1);
    plane.awaitProgrammed(proxy(t + "c"), 1);
    expect(tls, t + "a", "/", "200 one");
    expect(tls, t + "c", "/", "200 two");
    expect(tls, t + "b", "/", tls ? Peer.NOTHING : "404");

    plane.write(
        t + ".yaml",
        Docs.of(
            Hosts.good(t + "a", tls, "one"),
            Hosts.good(t + "b", tls, "one"),
            Hosts.good(t + "c", tls, "two")));
    plane.awaitProgrammed(proxy(t + "b"), 2);
    expect(tls, t + "b", "/", "200 one");
  }

  @Test
  void aBadProxyWithTlsLeavesItsOldRoutesItsRedirectAndItsCertificateInForce() {
    Plane plane = scene.plane();
    plane.write("r.yaml", Docs.of(Hosts.good("ra", true, "one"), Hosts.good("rb", false, "one")));
    plane.awaitProgrammed(proxy("ra"), 1);
    plane.awaitProgrammed(proxy("rb"), 1);
    plane.write("r.yaml", Docs.of(Hosts.bad("ra", true, "two"), Hosts.good("rb", false, "two")));
    plane.awaitSaid(proxy("ra"), "Programmed", "Rejected");
    plane.awaitProgrammed(proxy("rb"), 2);
    expect(true, "ra", "/", "200 one");
    expect(false, "ra", "/", "301");
    expect(false, "rb", "/", "200 two");
    plane.delete("r.yaml");
    expect(false, "ra", "/", "404");
  }
}
