// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.Tls;
import dev.holdfast.testkit.TestCa;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that are sent on, with or without the TLS around them. */
@ParameterizedClass
@ValueSource(strings = {"delta", "sotw"})
record TcpProxyTest(String protocol) {
  private static final TestCa CA = TestCa.create("authority");
  private static final Backend ONE = Backend.start("one");
  private static final Backend TWO = Backend.start("two");
  private static final Backend INSIDE = Backend.startTls("inside", CA);

  @SuppressWarnings("NullAway.Init") // before the first test
  private static Rig rig;

  @BeforeParameterizedClassInvocation
  static void start(String protocol) {
    rig =
        Rig.start(
            protocol,
            "base.yaml",
            Docs.of(
                Yaml.service("one", ONE.port()),
                Yaml.service("two", TWO.port()),
                Yaml.service("inside", INSIDE.port()),
                Docs.tlsSecret("cert", CA.issue("edge"))));
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    rig.close();
  }

  private static void host(String name, String tls, String tcpProxy, String more) {
    rig.apply(
        "HTTPProxy/default/" + name,
        Docs.proxy(
            name,
            """
            virtualhost: {fqdn: %s.example, tls: {%s}}
            tcpproxy: {%s}
            %s
            """
                .formatted(name, tls, tcpProxy, more)));
  }

  private static String seen(String name) {
    return Rig.seen(rig.https(Tls.sni(name + ".example", CA)), name + ".example", "/");
  }

  private static String peer(String name) {
    Tls tls = Tls.sni(name + ".example", CA);
    return tls.peer(rig.https(tls).port());
  }

  @Test
  void tlsEndsAtTheProxy() {
    host("ended", "secretName: cert", "services: [{name: one, port: 80}]", "");
    Rig.awaitSeen("200 one", () -> seen("ended"));
    assertThat(peer("ended")).isEqualTo("CN=edge");
  }

  @Test
  void tlsIsPassedThrough() {
    host("through", "passthrough: true", "services: [{name: inside, port: 80}]", "");
    Rig.awaitSeen("200 inside", () -> seen("through"));
    assertThat(peer("through")).isEqualTo("CN=inside");
  }

  @Test
  void connectionsAreSharedOutByWeight() {
    host(
        "weighted",
        "secretName: cert",
        "services: [{name: one, port: 80, weight: 1}, {name: two, port: 80, weight: 3}]",
        "");
    Rig.awaitSeen("200", () -> seen("weighted").substring(0, 3));
    int two = 0;
    for (int i = 0; i < 120; i++) {
      two += seen("weighted").equals("200 two") ? 1 : 0;
    }
    assertThat(two).isBetween(65, 112); // 90, give or take five standard deviations
  }

  @Test
  void whoHasNoWeightGetsNothing() {
    host(
        "zero",
        "secretName: cert",
        "services: [{name: one, port: 80, weight: 0}, {name: two, port: 80, weight: 1}]",
        "");
    Rig.awaitSeen("200 two", () -> seen("zero"));
    for (int i = 0; i < 20; i++) {
      assertThat(seen("zero")).isEqualTo("200 two");
    }
  }

  @Test
  void allGetTheSameIfNobodyHasAWeight() {
    host(
        "equal",
        "secretName: cert",
        "services: [{name: one, port: 80}, {name: two, port: 80}]",
        "");
    Set<String> met = new TreeSet<>();
    Plane.await(
        "both answer",
        () -> {
          met.add(seen("equal"));
          return met.contains("200 one") && met.contains("200 two");
        });
  }

  @Test
  void anotherProxySaysWhereTo() {
    rig.put(
        "HTTPProxy/team/where",
        Docs.of(
            Docs.proxy("team/where", "tcpproxy: {services: [{name: far, port: 80}]}"),
            Yaml.service("far", TWO.port())
                .replace("  name: far", "  namespace: team\n  name: far")));
    host("included", "secretName: cert", "include: {name: where, namespace: team}", "");
    Rig.awaitSeen("200 two", () -> seen("included"));
    rig.plane().awaitProgrammed("HTTPProxy/team/where", 1);
  }

  @Test
  void plainRequestsOfTheHostStillHaveRoutes() {
    host(
        "both",
        "passthrough: true",
        "services: [{name: inside, port: 80}]",
        "routes: [{permitInsecure: true, services: [{name: two, port: 80}]}]");
    Rig.awaitSeen("200 inside", () -> seen("both"));
    Rig.awaitSeen("200 two", rig.http(), "both.example", "/");
  }

  @Test
  void anEndpointThatTakesNoConnectionsGetsNone() throws java.io.IOException {
    try (var bound = new java.net.Socket()) { // refuses: nobody listens
      bound.bind(new java.net.InetSocketAddress(java.net.InetAddress.getLoopbackAddress(), 0));
      rig.write("half.yaml", Yaml.service("half", bound.getLocalPort(), ONE.port()));
      host(
          "checked",
          "secretName: cert",
          """
          services: [{name: half, port: 80}],
            loadBalancerPolicy: {strategy: Random},
            healthCheckPolicy: {intervalSeconds: 1, timeoutSeconds: 30, unhealthyThresholdCount: 1,
              healthyThresholdCount: 1}\
          """,
          "");
      Rig.awaitSeen("200 one", () -> seen("checked"));
      for (int i = 0; i < 20; i++) {
        assertThat(seen("checked")).isEqualTo("200 one");
      }
      assertThat(rig.cluster("default/half/80/checked").toString())
          .contains("\"tcp_health_check\"")
          .contains("\"RANDOM\"");
    }
  }
}
