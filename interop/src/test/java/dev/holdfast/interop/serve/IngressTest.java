// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.Tls;
import dev.holdfast.testkit.TestCa;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Hosts, paths, certificates and default backends of an Ingress. */
@ParameterizedClass
@ValueSource(strings = {"delta", "sotw"})
record IngressTest(String protocol) {
  private static final TestCa CA = TestCa.create("authority");
  private static final Backend ONE = Backend.start("one");
  private static final Backend TWO = Backend.start("two");

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
                Docs.tlsSecret("cert", CA.issue("ingress"))));
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    rig.close();
  }

  static String backend(String service) {
    return "{service: {name: " + service + ", port: {number: 80}}}";
  }

  /** A path of an ingress; what else is asked for goes elsewhere. */
  static String path(String type, String path, String service) {
    return "{pathType: %s, path: \"%s\", backend: %s}".formatted(type, path, backend(service));
  }

  static String rule(String host, String... paths) {
    return "{host: \"%s\", http: {paths: [%s]}}".formatted(host, String.join(", ", paths));
  }

  private static void ingress(String name, String spec) {
    rig.apply("Ingress/default/" + name, Docs.ingress(name, "", spec));
  }

  private static String seen(String host, String path) {
    return Rig.seen(rig.http(), host, path);
  }

  @Test
  void eachHostHasItsOwnPaths() {
    ingress(
        "hosts",
        "rules: [%s, %s]"
            .formatted(
                rule("h1.example", path("Prefix", "/", "one")),
                rule("h2.example", path("Prefix", "/", "two"))));
    Rig.awaitSeen("200 one", rig.http(), "h1.example", "/");
    assertThat(seen("h2.example", "/")).isEqualTo("200 two");
    assertThat(seen("h3.example", "/")).isEqualTo("404");
  }

  @Test
  void aPrefixIsOfWholeSegments() {
    ingress("prefix", "rules: [" + rule("prefix.example", path("Prefix", "/foo", "one")) + "]");
    Rig.awaitSeen("200 one", rig.http(), "prefix.example", "/foo");
    assertThat(seen("prefix.example", "/foo/bar")).isEqualTo("200 one");
    assertThat(seen("prefix.example", "/foo?q=1")).isEqualTo("200 one");
    assertThat(seen("prefix.example", "/foobar")).isEqualTo("404");
  }

  @Test
  void anExactPathIsThatPathOnly() {
    ingress(
        "exact",
        "rules: ["
            + rule("exact.example", path("Exact", "/foo", "one"), path("Prefix", "/foo", "two"))
            + "]");
    Rig.awaitSeen("200 one", rig.http(), "exact.example", "/foo");
    assertThat(seen("exact.example", "/foo/")).isEqualTo("200 two");
  }

  @Test
  void anImplementationSpecificPathIsAPrefixOfCharacters() {
    ingress(
        "specific",
        "rules: [" + rule("specific.example", path("ImplementationSpecific", "/foo", "one")) + "]");
    Rig.awaitSeen("200 one", rig.http(), "specific.example", "/foobar");
    assertThat(seen("specific.example", "/bar")).isEqualTo("404");
  }

  @Test
  void anImplementationSpecificPathWithSignsOfARegexIsOne() {
    ingress(
        "regex",
        "rules: ["
            + rule("regex.example", path("ImplementationSpecific", "/v[0-9]+/.*", "one"))
            + "]");
    Rig.awaitSeen("200 one", rig.http(), "regex.example", "/v12/x");
    assertThat(seen("regex.example", "/vx/x")).isEqualTo("404");
  }

  @Test
  void theLongestPathCounts() {
    ingress(
        "order",
        "rules: ["
            + rule("order.example", path("Prefix", "/", "one"), path("Prefix", "/deep/er", "two"))
            + "]");
    Rig.awaitSeen("200 two", rig.http(), "order.example", "/deep/er/still");
    assertThat(seen("order.example", "/deep")).isEqualTo("200 one");
  }

  @Test
  void aWildcardHostIsOneLabel() {
    ingress("wild", "rules: [" + rule("*.wild.example", path("Prefix", "/", "one")) + "]");
    Rig.awaitSeen("200 one", rig.http(), "a.wild.example", "/");
    assertThat(seen("a.b.wild.example", "/")).isEqualTo("404");
    assertThat(seen("wild.example", "/")).isEqualTo("404");
  }

  @Test
  void aPortGoesByItsName() {
    ingress(
        "named",
        """
        rules:
        - host: named.example
          http:
            paths:
            - {path: /, pathType: Prefix, backend: {service: {name: two, port: {name: http}}}}
        """);
    Rig.awaitSeen("200 two", rig.http(), "named.example", "/");
  }

  @Test
  void whatNobodyWantsGoesToTheDefaultBackend() {
    ingress(
        "default",
        """
        defaultBackend: %s
        rules: [%s]
        """
            .formatted(backend("two"), rule("some.example", path("Prefix", "/some", "one"))));
    try {
      Rig.awaitSeen("200 one", rig.http(), "some.example", "/some");
      Rig.awaitSeen("200 two", rig.http(), "nobody.example", "/");
    } finally {
      rig.delete("Ingress/default/default");
    }
    Rig.awaitSeen("404", rig.http(), "nobody.example", "/");
  }

  @Test
  void aRuleWithoutAHostIsForAll() {
    ingress("hostless", "rules: [{http: {paths: [" + path("Exact", "/hostless", "one") + "]}}]");
    Rig.awaitSeen("200 one", rig.http(), "whoever.example", "/hostless");
    rig.delete("Ingress/default/hostless");
    Rig.awaitSeen("404", rig.http(), "whoever.example", "/hostless");
  }

  @Test
  void aHostWithACertificateIsServedWithAndWithoutTls() {
    ingress(
        "secure",
        """
        tls: [{hosts: [secure.example], secretName: cert}]
        rules: [%s]
        """
            .formatted(rule("secure.example", path("Prefix", "/", "one"))));
    Tls tls = Tls.sni("secure.example", CA);
    Rig.awaitSeen("200 one", () -> Rig.seen(rig.https(tls), "secure.example", "/"));
    assertThat(tls.peer(rig.https(tls).port())).isEqualTo("CN=ingress");
    assertThat(seen("secure.example", "/")).isEqualTo("200 one");
  }

  @Test
  void aHostWithoutItsSecretIsServedWithoutTls() {
    rig.put(
        "Ingress/default/insecure",
        Docs.ingress(
            "insecure",
            "",
            """
            tls: [{hosts: [insecure.example], secretName: nowhere}]
            rules: [%s]
            """
                .formatted(rule("insecure.example", path("Prefix", "/", "one")))));
    Rig.awaitSeen("200 one", rig.http(), "insecure.example", "/");
    rig.plane()
        .awaitMessage("Ingress/default/insecure", "Valid", "Secret/default/nowhere does not exist");
  }

  @Test
  void aMissingServiceIs503AndSaidSo() {
    rig.put(
        "Ingress/default/lost",
        Docs.ingress(
            "lost",
            "",
            "rules: ["
                + rule("lost.example", path("Prefix", "/", "gone"), path("Prefix", "/one", "one"))
                + "]"));
    Rig.awaitSeen("503", rig.http(), "lost.example", "/");
    assertThat(seen("lost.example", "/one")).isEqualTo("200 one");
    rig.plane()
        .awaitMessage("Ingress/default/lost", "Valid", "Service/default/gone does not exist");
  }

  @Test
  void aHostOfAProxyIsNotForAnIngress() {
    rig.apply(
        "HTTPProxy/default/owner",
        Yaml.root("owner", "owned.example", "routes: [{services: [{name: one, port: 80}]}]"));
    rig.put(
        "Ingress/default/late",
        Docs.ingress(
            "late", "", "rules: [" + rule("owned.example", path("Prefix", "/", "two")) + "]"));
    Plane.await(
        "told", () -> rig.plane().object("Ingress/default/late").toString().contains("owner"));
    assertThat(seen("owned.example", "/")).isEqualTo("200 one");
  }
}
