// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static dev.holdfast.controlplane.translate.Given.at;
import static dev.holdfast.controlplane.translate.Given.proxy;
import static dev.holdfast.controlplane.translate.Given.root;
import static dev.holdfast.controlplane.translate.Given.routes;
import static dev.holdfast.controlplane.translate.Given.service;
import static dev.holdfast.controlplane.translate.Given.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import org.junit.jupiter.api.Test;

/** Every part of a resource is known to come from a place in an object. */
class ProvenanceTest {
  private static final Translation TRANSLATION =
      Given.translation(
          service("s")
              + root("a", "includes: [{name: c, conditions: [{prefix: /c}]}], " + routes(to("s")))
              + root("b", "includes: [{name: none}], " + routes(at("/b", "s")))
              + proxy("c", routes(at("/x", "s"), to("s"))));

  @Test
  void hostsComeFromRootsAndRoutesFromWhoWroteThem() {
    assertThat(Then.places(Then.resource(TRANSLATION, ResourceType.ROUTES, "ingress_http")))
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
  void clustersComeFromTheirServiceAndThoseWhoAsked() {
    assertThat(Then.places(Then.resource(TRANSLATION, ResourceType.CLUSTER, "default/s/80")))
        .containsExactly(
            " <- Service/default/s@1 spec",
            " <- HTTPProxy/default/c@1 spec.routes[0]",
            " <- HTTPProxy/default/c@1 spec.routes[1]",
            " <- HTTPProxy/default/a@1 spec.routes[0]",
            " <- HTTPProxy/default/b@1 spec.routes[0]");
  }

  @Test
  void endpointsComeFromTheServiceAndItsSlices() {
    assertThat(Then.places(Then.resource(TRANSLATION, ResourceType.ENDPOINTS, "default/s/80")))
        .containsExactly(
            " <- Service/default/s@1 spec.ports", " <- EndpointSlice/default/s-1@1 endpoints");
  }

  @Test
  void aPartIsTheSameAsLongAsItsObjectSaysTheSame() {
    Translation after = TRANSLATION.with(Given.objects(proxy("c", routes(at("/y", "s"), to("s")))));

    Resource before = Then.resource(TRANSLATION, ResourceType.ROUTES, "ingress_http");
    Resource changed = Then.resource(after, ResourceType.ROUTES, "ingress_http");
    assertThat(changed.version()).isNotEqualTo(before.version());
    for (String name : new String[] {"a", "b"}) {
      assertThat(changed.contributions().get(Given.proxyKey(name)))
          .isEqualTo(before.contributions().get(Given.proxyKey(name)));
    }
    assertThat(changed.contributions().get(Given.proxyKey("c")))
        .isNotEqualTo(before.contributions().get(Given.proxyKey("c")));
  }

  @Test
  void problemsStandWhereTheirFieldDoes() {
    TranslatedObject root = TRANSLATION.objects().get(Given.proxyKey("b"));

    assertThat(root == null ? "" : root.problems().toString())
        .matches("\\[f:\\d+:\\d+: spec.includes\\[0\\]: HTTPProxy/default/none does not exist\\]");
  }
}
