// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static dev.holdfast.controlplane.translate.YamlObjects.root;
import static dev.holdfast.controlplane.translate.YamlObjects.routes;
import static dev.holdfast.controlplane.translate.YamlObjects.service;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Clusters keep their names when their settings are edited, and no cluster has settings of two
 * authors.
 */
class ClusterNamesTest {
  private static final ObjectKey S = new ObjectKey("Service", "default", "s");
  private static final ObjectKey A = YamlObjects.proxyKey("a");

  private static String route(String prefix, String rest) {
    return "{conditions: [{prefix: " + prefix + "}], services: [{name: s, port: 80}]" + rest + "}";
  }

  private static String check(String path) {
    return ", healthCheckPolicy: {path: " + path + "}";
  }

  private static List<String> clusters(String... routes) {
    return TranslationText.names(
        YamlObjects.translation(service("s") + root("a", routes(routes))), ResourceType.CLUSTER);
  }

  @Test
  void routesWithDefaultPoliciesShareACluster() {
    assertThat(clusters(route("/", ""), route("/x", ", permitInsecure: true")))
        .containsExactly("default/s/80");
  }

  @Test
  void routesWithEqualPoliciesShareAClusterOfTheProxy() {
    assertThat(clusters(route("/", check("/h")), route("/x", check("/h")), route("/y", "")))
        .containsExactly("default/s/80", "default/s/80/a");
  }

  @Test
  void routesWithDifferentPoliciesHaveSeparateClusters() {
    assertThat(clusters(route("/", check("/h")), route("/x", check("/i"))))
        .containsExactly("default/s/80/a", "default/s/80/a/2");
  }

  @Test
  void policyEditKeepsTheClusterName() {
    Translation before =
        YamlObjects.translation(service("s") + root("a", routes(route("/", check("/h")))));
    Translation after =
        before.with(YamlObjects.objects(root("a", routes(route("/", check("/i"))))));

    Resource was = TranslationText.resource(before, ResourceType.CLUSTER, "default/s/80/a");
    Resource is = TranslationText.resource(after, ResourceType.CLUSTER, "default/s/80/a");
    assertThat(is.version()).isNotEqualTo(was.version());
    // The routes did not change: they know the cluster by its name.
    assertThat(TranslationText.resource(after, ResourceType.ROUTES, "ingress_http"))
        .isEqualTo(TranslationText.resource(before, ResourceType.ROUTES, "ingress_http"));
    assertThat(is.contributions().get(A)).isNotEqualTo(was.contributions().get(A));
    assertThat(is.contributions().get(S)).isEqualTo(was.contributions().get(S));
  }

  @Test
  void twoProxiesDoNotShareAClusterWithPolicies() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + root("a", routes(route("/", check("/h"))))
                + root("b", routes(route("/", check("/h")))));

    assertThat(TranslationText.names(translation, ResourceType.CLUSTER))
        .containsExactly("default/s/80/a", "default/s/80/b");
    assertThat(TranslationText.names(translation, ResourceType.ENDPOINTS))
        .containsExactly("default/s/80");
  }

  @Test
  void serviceEditDoesNotChangeRoutes() {
    Translation before =
        YamlObjects.translation(service("s") + root("a", routes(route("/", check("/h")))));
    String annotated =
        YamlObjects.object("v1", "Service", "s", "spec: {ports: [{port: 80}]}")
            .replace(
                "{name: s}", "{name: s, annotations: {projectcontour.io/max-connections: '7'}}");
    Translation after = before.with(YamlObjects.objects(annotated));

    assertThat(after.work().hosts()).isZero();
    Resource was = TranslationText.resource(before, ResourceType.CLUSTER, "default/s/80/a");
    Resource is = TranslationText.resource(after, ResourceType.CLUSTER, "default/s/80/a");
    assertThat(is.contributions().get(S)).isNotEqualTo(was.contributions().get(S));
    assertThat(is.contributions().get(A)).isEqualTo(was.contributions().get(A));
  }
}
