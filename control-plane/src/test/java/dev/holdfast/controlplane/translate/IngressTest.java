// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static dev.holdfast.controlplane.translate.Given.root;
import static dev.holdfast.controlplane.translate.Given.routes;
import static dev.holdfast.controlplane.translate.Given.service;
import static dev.holdfast.controlplane.translate.Given.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.testkit.TestCa;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Ingresses: paths by host, shared between objects, behind roots. */
class IngressTest {
  private static String ingress(String name, String annotations, String spec) {
    return "---\n{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: "
        + name
        + ", annotations: {"
        + annotations
        + "}}, spec: {"
        + spec
        + "}}\n";
  }

  private static String backend(String service) {
    return "{service: {name: " + service + ", port: {number: 80}}}";
  }

  private static String path(String path, String type, String service) {
    return "{path: " + path + ", pathType: " + type + ", backend: " + backend(service) + "}";
  }

  private static String rule(String host, String... paths) {
    return "{host: " + host + ", http: {paths: [" + String.join(", ", paths) + "]}}";
  }

  private static String rules(String... rules) {
    return "rules: [" + String.join(", ", rules) + "]";
  }

  @Test
  void pathsAreInOrderAndTheRestGoesToTheDefaultBackend() {
    Translation translation =
        Given.translation(
            service("s")
                + service("t")
                + ingress(
                    "i",
                    "",
                    "defaultBackend: "
                        + backend("t")
                        + ", "
                        + rules(
                            rule(
                                "a.com",
                                path("/", "Prefix", "s"),
                                path("/x", "Prefix", "s"),
                                path("/e", "Exact", "s"),
                                path("'/[0-9]+'", "ImplementationSpecific", "s")))));

    assertThat(Then.plain(translation, "a.com"))
        .containsExactly(
            "=/e -> default/s/80",
            "~/[0-9]+ -> default/s/80",
            "/x/* -> default/s/80",
            "/* -> default/s/80");
    assertThat(Then.plain(translation, "*")).containsExactly("/* -> default/t/80");
    assertThat(Then.problems(translation)).isEmpty();
  }

  @Test
  void theOlderOfTwoHasThePath() {
    var objects =
        Given.objects(
            service("s")
                + service("t")
                + ingress("i", "", rules(rule("a.com", path("/", "Prefix", "s"))))
                + ingress(
                    "j",
                    "",
                    rules(rule("a.com", path("/", "Prefix", "t"), path("/j", "Prefix", "t")))));
    objects.replaceAll(
        (key, object) ->
            object == null
                ? null
                : object.with(1, Instant.ofEpochSecond(key.name().equals("i") ? 2 : 1)));
    Translation translation = Translation.empty(TranslationOptions.defaults()).with(objects);

    assertThat(Then.plain(translation, "a.com"))
        .containsExactly("/j/* -> default/t/80", "/* -> default/t/80");
    assertThat(Then.warnings(translation))
        .containsExactly(
            "Ingress/default/i: spec.rules[0].http.paths[0]: never used:"
                + " spec.rules[0].http.paths[0] of Ingress/default/j has the same path");
  }

  @Test
  void aHostCanBeMovedToARoot() {
    Translation before =
        Given.translation(
            service("s")
                + service("t")
                + ingress(
                    "i",
                    "",
                    rules(
                        rule("a.com", path("/", "Prefix", "s")),
                        rule("b.com", path("/", "Prefix", "s")))));
    Translation after = before.with(Given.objects(root("a", routes(to("t")))));

    assertThat(Then.plain(before, "a.com")).containsExactly("/* -> default/s/80");
    assertThat(Then.plain(after, "a.com")).containsExactly("/* -> default/t/80");
    assertThat(Then.plain(after, "b.com")).containsExactly("/* -> default/s/80");
    assertThat(Then.problems(after))
        .containsExactly(
            "Ingress/default/i: spec.rules[0].host: a.com is also used by HTTPProxy/default/a,"
                + " which is served (expected: one of the two)");
  }

  @Test
  void aRootThatCannotBeServedTakesNothingAway() {
    Translation translation =
        Given.translation(
            service("s")
                + ingress("i", "", rules(rule("a.com", path("/", "Prefix", "s"))))
                + Given.proxy(
                    "a",
                    "virtualhost: {fqdn: a.com, tls: {secretName: none}}, " + routes(to("s"))));

    assertThat(Then.plain(translation, "a.com")).containsExactly("/* -> default/s/80");
  }

  @Test
  void referencesThatLeadNowhereAreErrors() {
    Translation translation =
        Given.translation(
            service("s")
                + ingress(
                    "i",
                    "",
                    "tls: [{hosts: [a.com], secretName: none}], "
                        + rules(
                            rule(
                                "a.com", path("/", "Prefix", "none"), path("/s", "Prefix", "s")))));

    assertThat(Then.problems(translation))
        .containsExactly(
            "Ingress/default/i: spec.tls[0].secretName: Secret/default/none does not exist",
            "Ingress/default/i: spec.rules[0].http.paths[0].backend: Service/default/none does not"
                + " exist");
    assertThat(Then.plain(translation, "a.com"))
        .containsExactly("/s/* -> default/s/80", "/* -> 503");
  }

  @Test
  void tlsAndWhatAnnotationsSayOfIt() {
    TestCa.Identity identity = TestCa.create("test").issue("a");
    String secret =
        Given.object(
            "v1",
            "Secret",
            "cert",
            "type: kubernetes.io/tls, stringData: {tls.crt: \""
                + identity.certificatePem().replace("\n", "\\n")
                + "\", tls.key: \""
                + identity.privateKeyPem().replace("\n", "\\n")
                + "\"}");
    String tls = "tls: [{hosts: [a.com, b.com, c.com], secretName: cert}], ";
    Translation translation =
        Given.translation(
            service("s")
                + secret
                + ingress("i", "", tls + rules(rule("a.com", path("/", "Prefix", "s"))))
                + ingress(
                    "j",
                    "ingress.kubernetes.io/force-ssl-redirect: 'true'",
                    tls + rules(rule("b.com", path("/", "Prefix", "s"))))
                + ingress(
                    "k",
                    "kubernetes.io/ingress.allow-http: 'false'",
                    tls + rules(rule("c.com", path("/", "Prefix", "s")))));

    assertThat(Then.plain(translation, "a.com")).containsExactly("/* -> default/s/80");
    assertThat(Then.plain(translation, "b.com")).containsExactly("/* -> https");
    assertThat(Then.hosts(translation)).containsExactly("a.com", "b.com");
    for (String host : new String[] {"a.com", "b.com", "c.com"}) {
      assertThat(Then.secure(translation, host)).containsExactly("/* -> default/s/80");
    }
    assertThat(Then.listener(translation, "ingress_https").getFilterChainsCount()).isEqualTo(3);
    assertThat(Then.names(translation, ResourceType.SECRET)).containsExactly("default/cert");
  }

  @Test
  void ingressesHaveNoListenersOfTheirOwn() {
    Translation translation =
        Given.translation(
            service("s") + ingress("i", "", rules(rule("a.com", path("/", "Prefix", "s")))));

    assertThat(Then.names(translation, ResourceType.LISTENER)).containsExactly("ingress_http");
  }
}
