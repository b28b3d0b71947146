// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static dev.holdfast.controlplane.translate.YamlObjects.proxy;
import static dev.holdfast.controlplane.translate.YamlObjects.root;
import static dev.holdfast.controlplane.translate.YamlObjects.routes;
import static dev.holdfast.controlplane.translate.YamlObjects.service;
import static dev.holdfast.controlplane.translate.YamlObjects.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which object serves a host, and the reasons for absent resources. */
class HostTest {
  private static final ResourceId LISTENER = new ResourceId(ResourceType.LISTENER, "a.com");
  private static final ResourceId ROUTES = new ResourceId(ResourceType.ROUTES, "api/a.com");

  @Test
  void emptyTranslationHasAListenerAndAnEmptyRouteTable() {
    Translation translation = Translation.empty(TranslationOptions.defaults());

    assertThat(TranslationText.names(translation, ResourceType.LISTENER))
        .containsExactly("ingress_http");
    assertThat(TranslationText.hosts(translation)).isEmpty();
    assertThat(translation.objects().isEmpty()).isTrue();
  }

  @Test
  void ofTwoRootsForOneHostTheOlderServesIt() {
    String claim = "virtualhost: {fqdn: a.com}, " + routes(to("s"));
    Translation translation =
        YamlObjects.translation(
            service("s") + proxy("a", claim) + proxy("b", claim) + root("c", routes(to("s"))));

    assertThat(TranslationText.hosts(translation)).containsExactly("a.com", "c.com");
    assertThat(TranslationText.problems(translation))
        .containsExactly(
            "HTTPProxy/default/b: spec.virtualhost.fqdn: a.com is also used by HTTPProxy/default/a,"
                + " which keeps it (expected: one proxy per host)");
    assertThat(translation.snapshot().absence(LISTENER)).isNull();

    Translation after = translation.with(YamlObjects.without(YamlObjects.proxyKey("a")));
    assertThat(TranslationText.hosts(after)).containsExactly("a.com", "c.com");
    assertThat(TranslationText.problems(after)).isEmpty();
    assertThat(after.snapshot().absence(LISTENER)).isNull();
  }

  @Test
  void undecodableRootServesNothingButIsTheAbsenceReason() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + proxy("bad", "virtualhost: {fqdn: a.com}, mistake: 1, " + routes(to("s"))));

    assertThat(TranslationText.hosts(translation)).isEmpty();
    assertThat(translation.snapshot().absence(ROUTES))
        .isEqualTo(
            "HTTPProxy/default/bad is not valid: spec.mistake: unknown field (expected: one of"
                + " ingressClassName, virtualhost, routes, includes, tcpproxy)");

    Translation after =
        translation.with(
            YamlObjects.objects(proxy("good", "virtualhost: {fqdn: a.com}, " + routes(to("s")))));
    assertThat(TranslationText.hosts(after)).containsExactly("a.com");
    assertThat(after.snapshot().absence(ROUTES)).isNull();
  }

  @Test
  void wildcardMatchesOneLabelAndHasNoApiListener() {
    Translation translation =
        YamlObjects.translation(
            service("s") + proxy("a", "virtualhost: {fqdn: \"*.a.com\"}, " + routes(to("s"))));

    assertThat(TranslationText.plain(translation, "*.a.com"))
        .containsExactly("/* h::authority -> default/s/80");
    assertThat(TranslationText.names(translation, ResourceType.LISTENER))
        .containsExactly("ingress_http");
  }

  @Test
  void objectsOfAnotherIngressClassAreForeign() {
    String yaml =
        service("s")
            + proxy("a", "ingressClassName: other, virtualhost: {fqdn: a.com}, " + routes(to("s")))
            + root("b", routes(to("s")));
    Translation anybody = YamlObjects.translation(yaml);
    Translation other =
        Translation.empty(TranslationOptions.defaults().forClasses(List.of("other", "more")))
            .with(YamlObjects.objects(yaml));

    assertThat(TranslationText.hosts(anybody)).containsExactly("b.com");
    assertThat(TranslationText.hosts(other)).containsExactly("a.com");
    TranslatedObject foreign = anybody.objects().get(YamlObjects.proxyKey("a"));
    assertThat(foreign != null && foreign.foreign() && foreign.isValid()).isTrue();
  }

  @Test
  void anInvalidObjectOfAnotherIngressClassIsForeign() {
    Translation translation =
        YamlObjects.translation(proxy("a", "ingressClassName: other, mistake: 1, routes: 5"));

    TranslatedObject foreign = translation.objects().get(YamlObjects.proxyKey("a"));
    assertThat(foreign != null && foreign.foreign() && foreign.isValid()).isTrue();
  }

  @Test
  void hostsOutsideOfTheRootNamespacesAreNotServed() {
    String yaml =
        service("s")
            + root("a", routes(to("s")))
            + proxy("child", routes(to("s"))).replace("{name: child}", "{name: c, namespace: t}");
    Translation elsewhere =
        Translation.empty(TranslationOptions.defaults().withRootNamespaces(List.of("edge", "x")))
            .with(YamlObjects.objects(yaml));

    assertThat(TranslationText.hosts(elsewhere)).isEmpty();
    TranslatedObject root = elsewhere.objects().get(YamlObjects.proxyKey("a"));
    assertThat(root == null ? List.of() : root.problems())
        .singleElement()
        .asString()
        .endsWith(
            "metadata.namespace: default, where the server does not allow hosts (expected: one of"
                + " edge, x, or no virtualhost)");
    TranslatedObject child = elsewhere.objects().get(new ObjectKey("HTTPProxy", "t", "c"));
    assertThat(child == null ? "" : child.problems().toString()).doesNotContain("metadata");
    assertThat(
            TranslationText.hosts(
                Translation.empty(
                        TranslationOptions.defaults().withRootNamespaces(List.of("default")))
                    .with(YamlObjects.objects(yaml))))
        .containsExactly("a.com");
  }

  @Test
  void missingServiceMakesTheRouteAnswer503() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + root(
                    "a",
                    routes(
                        to("none"),
                        "{conditions: [{prefix: /x}], services: [{name: s, port: 80}, {name: none,"
                            + " port: 80}]}")));

    assertThat(TranslationText.plain(translation, "a.com"))
        .containsExactly("/x* -> default/s/80", "/* -> 503");
    assertThat(TranslationText.problems(translation))
        .containsExactly(
            "HTTPProxy/default/a: spec.routes[0].services[0]: Service/default/none does not exist",
            "HTTPProxy/default/a: spec.routes[1].services[1]: Service/default/none does not exist");
    assertThat(
            translation.snapshot().absence(new ResourceId(ResourceType.CLUSTER, "default/none/80")))
        .isEqualTo("Service/default/none does not exist");
    assertThat(
            translation
                .snapshot()
                .absence(new ResourceId(ResourceType.ENDPOINTS, "default/none/80")))
        .isEqualTo("Service/default/none does not exist");

    Translation after = translation.with(YamlObjects.objects(service("none")));
    assertThat(TranslationText.problems(after)).isEmpty();
    assertThat(TranslationText.plain(after, "a.com")).contains("/* -> default/none/80");
  }
}
