// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static dev.holdfast.controlplane.translate.YamlObjects.root;
import static dev.holdfast.controlplane.translate.YamlObjects.routes;
import static dev.holdfast.controlplane.translate.YamlObjects.service;
import static dev.holdfast.controlplane.translate.YamlObjects.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.testkit.TestCa;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Ingresses: paths by host, hosts shared between ingresses, and precedence of roots. */
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
  void aHostHasNoMoreRoutesThanTheLimit() {
    Translation translation =
        Translation.empty(TranslationOptions.defaults().withRoutesPerHost(2))
            .with(
                YamlObjects.objects(
                    service("s")
                        + ingress(
                            "i",
                            "",
                            rules(
                                rule(
                                    "a.com",
                                    path("/a", "Prefix", "s"),
                                    path("/b", "Prefix", "s"),
                                    path("/c", "Prefix", "s"),
                                    path("/d", "Prefix", "s"))))
                        + ingress("j", "", rules(rule("b.com", path("/", "Prefix", "s"))))));

    assertThat(TranslationText.plain(translation, "a.com"))
        .containsExactly("/a/* -> default/s/80", "/b/* -> default/s/80");
    assertThat(TranslationText.plain(translation, "b.com")).hasSize(1);
    assertThat(TranslationText.problems(translation))
        .singleElement()
        .asString()
        .contains("Ingress", "the host has 2 routes already", "limit routesPerHost");
  }

  @Test
  void aRootHasNoMoreRoutesThanTheLimit() {
    Translation translation =
        Translation.empty(TranslationOptions.defaults().withRoutesPerHost(1))
            .with(
                YamlObjects.objects(
                    service("s")
                        + root("r", routes(YamlObjects.at("/a", "s"), YamlObjects.at("/b", "s")))));

    assertThat(TranslationText.plain(translation, "r.com")).hasSize(1);
    assertThat(TranslationText.problems(translation))
        .singleElement()
        .asString()
        .contains("more than 1 routes in total", "limit routesPerHost");
  }

  @Test
  void pathsAreOrderedAndTheRestGoesToTheDefaultBackend() {
    Translation translation =
        YamlObjects.translation(
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

    assertThat(TranslationText.plain(translation, "a.com"))
        .containsExactly(
            "=/e -> default/s/80",
            "~/[0-9]+ -> default/s/80",
            "/x/* -> default/s/80",
            "/* -> default/s/80");
    assertThat(TranslationText.plain(translation, "*")).containsExactly("/* -> default/t/80");
    assertThat(TranslationText.problems(translation)).isEmpty();
  }

  @Test
  void olderIngressWinsThePath() {
    var objects =
        YamlObjects.objects(
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

    assertThat(TranslationText.plain(translation, "a.com"))
        .containsExactly("/j/* -> default/t/80", "/* -> default/t/80");
    assertThat(TranslationText.problems(translation))
        .containsExactly(
            "Ingress/default/i: spec.rules[0].http.paths[0]: never used:"
                + " spec.rules[0].http.paths[0] of Ingress/default/j has the same path"
                + " (expected: each path of a host once)");
  }

  @Test
  void hostCanBeMovedToARoot() {
    Translation before =
        YamlObjects.translation(
            service("s")
                + service("t")
                + ingress(
                    "i",
                    "",
                    rules(
                        rule("a.com", path("/", "Prefix", "s")),
                        rule("b.com", path("/", "Prefix", "s")))));
    Translation after = before.with(YamlObjects.objects(root("a", routes(to("t")))));

    assertThat(TranslationText.plain(before, "a.com")).containsExactly("/* -> default/s/80");
    assertThat(TranslationText.plain(after, "a.com")).containsExactly("/* -> default/t/80");
    assertThat(TranslationText.plain(after, "b.com")).containsExactly("/* -> default/s/80");
    assertThat(TranslationText.problems(after))
        .containsExactly(
            "Ingress/default/i: spec.rules[0].host: a.com is also used by HTTPProxy/default/a,"
                + " which is served (expected: one of the two)");
  }

  @Test
  void unservableRootLeavesTheIngressServed() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + ingress("i", "", rules(rule("a.com", path("/", "Prefix", "s"))))
                + YamlObjects.proxy(
                    "a",
                    "virtualhost: {fqdn: a.com, tls: {secretName: none}}, " + routes(to("s"))));

    assertThat(TranslationText.plain(translation, "a.com")).containsExactly("/* -> default/s/80");
  }

  @Test
  void unresolvedReferencesAreErrors() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + ingress(
                    "i",
                    "",
                    "tls: [{hosts: [a.com], secretName: none}], "
                        + rules(
                            rule(
                                "a.com", path("/", "Prefix", "none"), path("/s", "Prefix", "s")))));

    assertThat(TranslationText.problems(translation))
        .containsExactly(
            "Ingress/default/i: spec.tls[0].secretName: Secret/default/none does not exist",
            "Ingress/default/i: spec.rules[0].http.paths[0].backend: Service/default/none does not"
                + " exist");
    assertThat(TranslationText.plain(translation, "a.com"))
        .containsExactly("/s/* -> default/s/80", "/* -> 503");
  }

  @Test
  void tlsAndItsAnnotations() {
    TestCa.Identity identity = TestCa.create("test").issue("a");
    String secret =
        YamlObjects.object(
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
        YamlObjects.translation(
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

    assertThat(TranslationText.plain(translation, "a.com")).containsExactly("/* -> default/s/80");
    assertThat(TranslationText.plain(translation, "b.com")).containsExactly("/* -> https");
    assertThat(TranslationText.hosts(translation)).containsExactly("a.com", "b.com");
    for (String host : new String[] {"a.com", "b.com", "c.com"}) {
      assertThat(TranslationText.secure(translation, host)).containsExactly("/* -> default/s/80");
    }
    assertThat(TranslationText.listener(translation, "ingress_https").getFilterChainsCount())
        .isEqualTo(3);
    assertThat(TranslationText.names(translation, ResourceType.SECRET))
        .containsExactly("default/cert");
  }

  @Test
  void ingressesHaveNoApiListeners() {
    Translation translation =
        YamlObjects.translation(
            service("s") + ingress("i", "", rules(rule("a.com", path("/", "Prefix", "s")))));

    assertThat(TranslationText.names(translation, ResourceType.LISTENER))
        .containsExactly("ingress_http");
  }
}
