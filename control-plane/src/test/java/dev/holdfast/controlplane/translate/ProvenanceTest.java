// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static dev.holdfast.controlplane.translate.YamlObjects.at;
import static dev.holdfast.controlplane.translate.YamlObjects.proxy;
import static dev.holdfast.controlplane.translate.YamlObjects.root;
import static dev.holdfast.controlplane.translate.YamlObjects.routes;
import static dev.holdfast.controlplane.translate.YamlObjects.service;
import static dev.holdfast.controlplane.translate.YamlObjects.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import org.junit.jupiter.api.Test;

/** Every part of a resource has its origin in a field of an object. */
class ProvenanceTest {
  private static final Translation TRANSLATION =
      YamlObjects.translation(
          service("s")
              + root("a", "includes: [{name: c, conditions: [{prefix: /c}]}], " + routes(to("s")))
              + root("b", "includes: [{name: none}], " + routes(at("/b", "s")))
              + proxy("c", routes(at("/x", "s"), to("s"))));

  @Test
  void hostsComeFromRootsAndRoutesFromTheirProxies() {
    assertThat(
            TranslationText.places(
                TranslationText.resource(TRANSLATION, ResourceType.ROUTES, "ingress_http")))
        .containsExactly(
            "virtual_hosts[0] <- HTTPProxy/default/a@1 spec.virtualhost",
            "virtual_hosts[0].routes[0] <- HTTPProxy/default/c@1 spec.routes[0]",
            "virtual_hosts[0].routes[1] <- HTTPProxy/default/c@1 spec.routes[1]",
            "virtual_hosts[0].routes[2] <- HTTPProxy/default/a@1 spec.routes[0]",
            "virtual_hosts[1] <- HTTPProxy/default/b@1 spec.virtualhost",
            "virtual_hosts[1].routes[0] <- HTTPProxy/default/b@1 spec.routes[0]",
            "virtual_hosts[1].routes[1] <- HTTPProxy/default/b@1 spec.includes[0]");
  }

  @Test
  void clustersComeFromTheirServiceAndRoutes() {
    assertThat(
            TranslationText.places(
                TranslationText.resource(TRANSLATION, ResourceType.CLUSTER, "default/s/80")))
        .containsExactly(
            " <- Service/default/s@1 spec",
            " <- HTTPProxy/default/c@1 spec.routes[0]",
            " <- HTTPProxy/default/c@1 spec.routes[1]",
            " <- HTTPProxy/default/a@1 spec.routes[0]",
            " <- HTTPProxy/default/b@1 spec.routes[0]");
  }

  @Test
  void endpointsComeFromTheServiceAndItsSlices() {
    assertThat(
            TranslationText.places(
                TranslationText.resource(TRANSLATION, ResourceType.ENDPOINTS, "default/s/80")))
        .containsExactly(
            " <- Service/default/s@1 spec.ports", " <- EndpointSlice/default/s-1@1 endpoints");
  }

  @Test
  void partDigestChangesOnlyWithItsObject() {
    Translation after =
        TRANSLATION.with(YamlObjects.objects(proxy("c", routes(at("/y", "s"), to("s")))));

    Resource before = TranslationText.resource(TRANSLATION, ResourceType.ROUTES, "ingress_http");
    Resource changed = TranslationText.resource(after, ResourceType.ROUTES, "ingress_http");
    assertThat(changed.version()).isNotEqualTo(before.version());
    for (String name : new String[] {"a", "b"}) {
      assertThat(changed.contributions().get(YamlObjects.proxyKey(name)))
          .isEqualTo(before.contributions().get(YamlObjects.proxyKey(name)));
    }
    assertThat(changed.contributions().get(YamlObjects.proxyKey("c")))
        .isNotEqualTo(before.contributions().get(YamlObjects.proxyKey("c")));
  }

  @Test
  void problemsHaveThePositionOfTheirField() {
    TranslatedObject root = TRANSLATION.objects().get(YamlObjects.proxyKey("b"));

    assertThat(root == null ? "" : root.problems().toString())
        .matches("\\[f:\\d+:\\d+: spec.includes\\[0\\]: HTTPProxy/default/none does not exist\\]");
  }
}
