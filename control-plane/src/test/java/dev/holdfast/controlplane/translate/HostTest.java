// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static dev.holdfast.controlplane.translate.Given.proxy;
import static dev.holdfast.controlplane.translate.Given.root;
import static dev.holdfast.controlplane.translate.Given.routes;
import static dev.holdfast.controlplane.translate.Given.service;
import static dev.holdfast.controlplane.translate.Given.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import org.junit.jupiter.api.Test;

/** Who answers for a host, and what those are told who ask for what nobody answers for. */
class HostTest {
  private static final ResourceId LISTENER = new ResourceId(ResourceType.LISTENER, "a.com");
  private static final ResourceId ROUTES = new ResourceId(ResourceType.ROUTES, "api/a.com");

  @Test
  void withoutObjectsThereIsAListenerAndAnEmptyTable() {
    Translation translation = Translation.empty(TranslationOptions.defaults());

    assertThat(Then.names(translation, ResourceType.LISTENER)).containsExactly("ingress_http");
    assertThat(Then.hosts(translation)).isEmpty();
    assertThat(translation.objects().isEmpty()).isTrue();
  }

  @Test
  void twoRootsOfOneHostAreBothInvalidAndOthersAreServed() {
    String claim = "virtualhost: {fqdn: a.com}, " + routes(to("s"));
    Translation translation =
        Given.translation(
            service("s") + proxy("a", claim) + proxy("b", claim) + root("c", routes(to("s"))));

    assertThat(Then.hosts(translation)).containsExactly("c.com");
    assertThat(Then.problems(translation)).hasSize(2);
    assertThat(translation.snapshot().absence(LISTENER))
        .startsWith(
            "HTTPProxy/default/b is not valid: spec.virtualhost.fqdn: a.com is also that of");

    Translation after = translation.with(Given.without(Given.proxyKey("a")));
    assertThat(Then.hosts(after)).containsExactly("a.com", "c.com");
    assertThat(Then.problems(after)).isEmpty();
    assertThat(after.snapshot().absence(LISTENER)).isNull();
  }

  @Test
  void anObjectThatCannotBeReadClaimsNothingButIsTheReason() {
    Translation translation =
        Given.translation(
            service("s")
                + proxy("bad", "virtualhost: {fqdn: a.com}, mistake: 1, " + routes(to("s"))));

    assertThat(Then.hosts(translation)).isEmpty();
    assertThat(translation.snapshot().absence(ROUTES))
        .isEqualTo(
            "HTTPProxy/default/bad is not valid: spec.mistake: unknown field (expected: one of"
                + " ingressClassName, virtualhost, routes, includes, tcpproxy)");

    Translation after =
        translation.with(
            Given.objects(proxy("good", "virtualhost: {fqdn: a.com}, " + routes(to("s")))));
    assertThat(Then.hosts(after)).containsExactly("a.com");
    assertThat(after.snapshot().absence(ROUTES)).isNull();
  }

  @Test
  void aWildcardIsForOneLabelAndCannotBeAskedFor() {
    Translation translation =
        Given.translation(
            service("s") + proxy("a", "virtualhost: {fqdn: \"*.a.com\"}, " + routes(to("s"))));

    assertThat(Then.plain(translation, "*.a.com"))
        .containsExactly("/* h::authority -> default/s/80");
    assertThat(Then.names(translation, ResourceType.LISTENER)).containsExactly("ingress_http");
  }

  @Test
  void objectsOfAnotherClassAreNotOurs() {
    String yaml =
        service("s")
            + proxy("a", "ingressClassName: other, virtualhost: {fqdn: a.com}, " + routes(to("s")))
            + root("b", routes(to("s")));
    Translation anybody = Given.translation(yaml);
    Translation other =
        Translation.empty(TranslationOptions.defaults().forClass("other"))
            .with(Given.objects(yaml));

    assertThat(Then.hosts(anybody)).containsExactly("b.com");
    assertThat(Then.hosts(other)).containsExactly("a.com");
    TranslatedObject foreign = anybody.objects().get(Given.proxyKey("a"));
    assertThat(foreign != null && foreign.foreign() && foreign.isValid()).isTrue();
  }

  @Test
  void aServiceThatIsMissingLeavesTheRouteAnswering503() {
    Translation translation =
        Given.translation(
            service("s")
                + root(
                    "a",
                    routes(
                        to("none"),
                        "{conditions: [{prefix: /x}], services: [{name: s, port: 80}, {name: none,"
                            + " port: 80}]}")));

    assertThat(Then.plain(translation, "a.com"))
        .containsExactly("/x* -> default/s/80", "/* -> 503");
    assertThat(Then.problems(translation))
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

    Translation after = translation.with(Given.objects(service("none")));
    assertThat(Then.problems(after)).isEmpty();
    assertThat(Then.plain(after, "a.com")).contains("/* -> default/none/80");
  }
}
