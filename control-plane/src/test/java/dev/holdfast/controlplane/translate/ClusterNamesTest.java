// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static dev.holdfast.controlplane.translate.Given.root;
import static dev.holdfast.controlplane.translate.Given.routes;
import static dev.holdfast.controlplane.translate.Given.service;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clusters keep their names when what they hold is edited, and authors do not meet in one. */
class ClusterNamesTest {
  private static final ObjectKey S = new ObjectKey("Service", "default", "s");
  private static final ObjectKey A = Given.proxyKey("a");

  private static String route(String prefix, String rest) {
    return "{conditions: [{prefix: " + prefix + "}], services: [{name: s, port: 80}]" + rest + "}";
  }

  private static String check(String path) {
    return ", healthCheckPolicy: {path: " + path + "}";
  }

  private static List<String> clusters(String... routes) {
    return Then.names(
        Given.translation(service("s") + root("a", routes(routes))), ResourceType.CLUSTER);
  }

  @Test
  void routesThatWantNothingSpecialShareACluster() {
    assertThat(clusters(route("/", ""), route("/x", ", permitInsecure: true")))
        .containsExactly("default/s/80");
  }

  @Test
  void routesThatAgreeShareAClusterOfTheirProxy() {
    assertThat(clusters(route("/", check("/h")), route("/x", check("/h")), route("/y", "")))
        .containsExactly("default/s/80", "default/s/80/a");
  }

  @Test
  void routesThatDoNotAgreeHaveOneEach() {
    assertThat(clusters(route("/", check("/h")), route("/x", check("/i"))))
        .containsExactly("default/s/80/a", "default/s/80/a/2");
  }

  @Test
  void anEditKeepsTheName() {
    Translation before =
        Given.translation(service("s") + root("a", routes(route("/", check("/h")))));
    Translation after = before.with(Given.objects(root("a", routes(route("/", check("/i"))))));

    Resource was = Then.resource(before, ResourceType.CLUSTER, "default/s/80/a");
    Resource is = Then.resource(after, ResourceType.CLUSTER, "default/s/80/a");
    assertThat(is.version()).isNotEqualTo(was.version());
    // The routes did not change: they know the cluster by its name.
    assertThat(Then.resource(after, ResourceType.ROUTES, "ingress_http"))
        .isEqualTo(Then.resource(before, ResourceType.ROUTES, "ingress_http"));
    assertThat(is.contributions().get(A)).isNotEqualTo(was.contributions().get(A));
    assertThat(is.contributions().get(S)).isEqualTo(was.contributions().get(S));
  }

  @Test
  void twoProxiesDoNotMeetInACluster() {
    Translation translation =
        Given.translation(
            service("s")
                + root("a", routes(route("/", check("/h"))))
                + root("b", routes(route("/", check("/h")))));

    assertThat(Then.names(translation, ResourceType.CLUSTER))
        .containsExactly("default/s/80/a", "default/s/80/b");
    assertThat(Then.names(translation, ResourceType.ENDPOINTS)).containsExactly("default/s/80");
  }

  @Test
  void anEditOfAServiceIsNoNewsToRoutes() {
    Translation before =
        Given.translation(service("s") + root("a", routes(route("/", check("/h")))));
    String annotated =
        Given.object("v1", "Service", "s", "spec: {ports: [{port: 80}]}")
            .replace(
                "{name: s}", "{name: s, annotations: {projectcontour.io/max-connections: '7'}}");
    Translation after = before.with(Given.objects(annotated));

    assertThat(after.work().hosts()).isZero();
    Resource was = Then.resource(before, ResourceType.CLUSTER, "default/s/80/a");
    Resource is = Then.resource(after, ResourceType.CLUSTER, "default/s/80/a");
    assertThat(is.contributions().get(S)).isNotEqualTo(was.contributions().get(S));
    assertThat(is.contributions().get(A)).isEqualTo(was.contributions().get(A));
  }
}
