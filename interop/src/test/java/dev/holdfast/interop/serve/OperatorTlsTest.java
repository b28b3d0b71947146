// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Answer;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.envoy.Tls;
import dev.holdfast.server.options.RateLimitOptions;
import dev.holdfast.server.options.TlsOptions;
import dev.holdfast.server.options.TrafficOptions;
import dev.holdfast.testkit.TestCa;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates and TLS versions that the operator decides about. */
@ParameterizedClass
@ValueSource(strings = {"delta", "sotw"})
record OperatorTlsTest(String protocol) {
  private static final TestCa CA = TestCa.create("authority");
  private static final Backend ONE = Backend.start("one");
  private static final Backend TWO = Backend.start("two");
  private static final Backend INSIDE = Backend.startTls("inside", CA);
  private static final Backend OLD = Backend.startTls("old", CA, "TLSv1.2");

  @SuppressWarnings("NullAway.Init") // before the first test
  private static Rig rig;

  @BeforeParameterizedClassInvocation
  static void start(String protocol) {
    rig =
        Rig.start(
            protocol,
            new TrafficOptions(
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                RateLimitOptions.none(),
                new TlsOptions(
                    TlsOptions.secret("default/edge"),
                    TlsOptions.secret("default/client"),
                    dev.holdfast.controlplane.objects.httpproxy.Tls.Version.TLS_1_3,
                    null),
                null),
            "base.yaml",
            Docs.of(
                Yaml.service("one", ONE.port()),
                Yaml.service("two", TWO.port()),
                Yaml.service("inside", INSIDE.port()),
                Yaml.service("old", OLD.port()),
                Yaml.service(
                    "annotated",
                    "    projectcontour.io/upstream-protocol.tls: http\n",
                    INSIDE.port()),
                Docs.tlsSecret("cert", CA.issue("own"))),
            "edge.yaml",
            Docs.tlsSecret("edge", CA.issue("edge")),
            "hosts.yaml",
            Docs.of(
                Docs.secure("a", "a.example", fallback(true), "one"),
                Docs.secure("b", "b.example", fallback(true), "two"),
                Docs.secure("strict", "strict.example", fallback(false), "one")));
    rig.put("Secret/default/client", Docs.tlsSecret("client", CA.issue("envoy")));
    rig.plane().awaitProgrammed("HTTPProxy/default/a", 1);
    rig.plane().awaitProgrammed("HTTPProxy/default/b", 1);
    rig.plane().awaitProgrammed("HTTPProxy/default/strict", 1);
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    rig.close();
  }

  private static String fallback(boolean enabled) {
    return "secretName: cert, enableFallbackCertificate: " + enabled;
  }

  private static Http named(String sni) {
    return rig.https(Tls.sni(sni, CA));
  }

  private static String peer(String sni) {
    Tls tls = Tls.sni(sni, CA);
    return tls.peer(rig.https(tls).port());
  }

  @Test
  void clientsThatNameNoHostAreServedWithTheFallbackCertificate() {
    for (String sni : new String[] {"", "unknown.example"}) {
      Rig.awaitSeen("200 one", named(sni), "a.example", "/");
      Rig.awaitSeen("200 two", named(sni), "b.example", "/");
      assertThat(Rig.seen(named(sni), "strict.example", "/")).isEqualTo("404");
      assertThat(peer(sni)).isEqualTo("CN=edge");
    }
    Rig.awaitSeen("200 one", named("a.example"), "a.example", "/");
    Rig.awaitSeen("200 one", named("strict.example"), "strict.example", "/");
    assertThat(peer("a.example")).isEqualTo("CN=own");
  }

  @Test
  void aHostComesAndGoesWithItsEdit() {
    rig.apply("HTTPProxy/default/late", Docs.secure("late", "late.example", fallback(true), "two"));
    Rig.awaitSeen("200 two", named(""), "late.example", "/");

    rig.apply(
        "HTTPProxy/default/late", Docs.secure("late", "late.example", fallback(false), "two"));
    Rig.awaitSeen("404", named(""), "late.example", "/");
    Rig.awaitSeen("200 two", named("late.example"), "late.example", "/");
    Rig.awaitSeen("200 one", named(""), "a.example", "/");
  }

  @Test
  void aFallbackCertificateThatIsNotValidLeavesTheOldOneInUse() {
    rig.write(
        "edge.yaml",
        """
        apiVersion: v1
        kind: Secret
        metadata: {name: edge}
        type: kubernetes.io/tls
        stringData: {tls.crt: nonsense, tls.key: nonsense}
        """);
    rig.plane().awaitSaid("Secret/default/edge", "Programmed", "Invalid");

    assertThat(peer("")).isEqualTo("CN=edge");
    Rig.awaitSeen("200 one", named(""), "a.example", "/");
    assertThat(rig.plane().said("HTTPProxy/default/a", "Programmed").status()).isEqualTo("True");

    rig.write("edge.yaml", Docs.tlsSecret("edge", CA.issue("edge")));
    rig.plane().awaitSaid("Secret/default/edge", "Programmed", "Programmed");
  }

  private static void route(String name, String service) {
    rig.apply(
        "HTTPProxy/default/" + name,
        Yaml.root(
            name, name + ".example", "routes: [{services: [{port: 80, name: " + service + "}]}]"));
  }

  private static String client(String name) {
    Rig.awaitSeen("200 inside", rig.http(), name + ".example", "/");
    return rig.http().get("/").host(name + ".example").send().echo().client();
  }

  @Test
  void servicesWithTlsSeeTheClientCertificate() {
    route("written", "inside, protocol: tls");
    assertThat(client("written")).isEqualTo("CN=envoy");
    route("by-annotation", "annotated");
    assertThat(client("by-annotation")).isEqualTo("CN=envoy");
    rig.apply(
        "Ingress/default/to-tls",
        Docs.ingress(
            "to-tls",
            "",
            """
            rules:
            - host: to-tls.example
              http:
                paths:
                - {path: /, pathType: Prefix, backend: {service: {name: annotated, port: {number: 80}}}}
            """));
    assertThat(client("to-tls")).isEqualTo("CN=envoy");
  }

  @Test
  void aRenewedClientCertificateIsShownOnNewConnections() {
    try (Backend picky = Backend.startTls("picky", CA)) {
      picky.answer(Answer.OK.header("connection", "close"));
      rig.put("Service/default/picky", Yaml.service("picky", picky.port()));
      route("picky", "picky, protocol: tls");
      Rig.awaitSeen("CN=envoy", () -> pickyClient(picky));

      rig.apply("Secret/default/client", Docs.tlsSecret("client", CA.issue("renewed")));
      Rig.awaitSeen("CN=renewed", () -> pickyClient(picky));

      rig.apply("Secret/default/client", Docs.tlsSecret("client", CA.issue("envoy")));
      Rig.awaitSeen("CN=envoy", () -> pickyClient(picky));
    }
  }

  /** Whom the service saw with the next request; empty if the request did not get through. */
  private static String pickyClient(Backend picky) {
    int before = picky.count();
    rig.http().get("/").host("picky.example").send();
    return picky.count() == before ? "" : picky.requests().get(before).client();
  }

  @Test
  void olderTlsVersionsAreNotSpokenWithServices() {
    route("modern", "inside, protocol: tls");
    Rig.awaitSeen("200 inside", rig.http(), "modern.example", "/");
    route("old", "old, protocol: tls");
    Rig.awaitSeen("503", rig.http(), "old.example", "/");
    assertThat(OLD.count()).isZero();
  }
}
