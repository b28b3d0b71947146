// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static dev.holdfast.controlplane.translate.Given.root;
import static dev.holdfast.controlplane.translate.Given.routes;
import static dev.holdfast.controlplane.translate.Given.service;
import static dev.holdfast.controlplane.translate.Given.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Decoded;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.cluster.ClusterDecoder;
import dev.holdfast.xds.resources.endpoint.ClusterLoadAssignmentDecoder;
import dev.holdfast.xds.resources.listener.ListenerDecoder;
import dev.holdfast.xds.resources.route.RouteConfigurationDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Roots for gRPC clients that route themselves: by name, and only what such clients take. */
class ApiHostTest {
  private static final DecodeOptions OPTIONS = DecodeOptions.defaults();

  private static List<String> lines(Translation translation) {
    return Then.lines(Then.table(translation, "api/a.com").getVirtualHosts(0));
  }

  @Test
  void aRootIsAListenerOfItsNameForThoseWhoAsk() {
    Translation translation = Given.translation(service("s") + root("a", routes(to("s"))));

    assertThat(Then.names(translation, ResourceType.LISTENER))
        .containsExactly("ingress_http", "(a.com)");
    assertThat(Then.names(translation, ResourceType.ROUTES))
        .containsExactly("ingress_http", "(api/a.com)");
    assertThat(lines(translation)).containsExactly("/* -> default/s/80");
  }

  @Test
  void whatSuchClientsCannotDoFailsInsteadOfGoingElsewhere() {
    Translation translation =
        Given.translation(
            service("s")
                + root(
                    "a",
                    routes(
                        to("s"),
                        "{conditions: [{prefix: /tls}], services: [{name: s, port: 80, protocol:"
                            + " tls}]}",
                        "{conditions: [{prefix: /random}], loadBalancerPolicy: {strategy: Random},"
                            + " services: [{name: s, port: 80}]}",
                        "{conditions: [{prefix: /redirect}], requestRedirectPolicy: {path: /x}}",
                        "{conditions: [{queryParameter: {name: q, present: true}}], services:"
                            + " [{name: s, port: 80}]}")));

    assertThat(lines(translation))
        .containsExactly(
            "/redirect* -> nowhere",
            "/random* -> nowhere",
            "/tls* -> nowhere",
            "/* -> default/s/80");
    assertThat(Then.warnings(translation))
        .containsExactly(
            "HTTPProxy/default/a: spec.routes[1]: not served to proxyless gRPC clients: TLS"
                + " to Service/default/s (expected by gRPC clients: h2c)",
            "HTTPProxy/default/a: spec.routes[2]: not served to proxyless gRPC clients: load"
                + " balancing Random (expected by gRPC clients: another strategy)");
    assertThat(Then.problems(translation)).isEmpty();
  }

  @Test
  void whatSuchClientsAreGivenTheyTake() {
    RandomObjects objects = new RandomObjects(7);
    Translation translation = Translation.empty(TranslationOptions.defaults());
    int taken = 0;
    for (int step = 0; step < 150; step++) {
      translation = translation.with(objects.changes());
      Snapshot snapshot = translation.snapshot();
      for (Resource routes : all(snapshot)) {
        String host = routes.name().substring("api/".length());
        Resource listener = Then.resource(translation, ResourceType.LISTENER, host);
        assertTaken(listener, ListenerDecoder.decode(listener.body(), OPTIONS));
        assertTaken(routes, RouteConfigurationDecoder.decode(routes.body(), OPTIONS));
        for (Map.Entry<String, String> need : routes.clusters()) {
          Resource cluster = Then.resource(translation, ResourceType.CLUSTER, need.getKey());
          assertTaken(cluster, ClusterDecoder.decode(cluster.body(), OPTIONS));
          String name =
              Then.cluster(translation, need.getKey()).getEdsClusterConfig().getServiceName();
          Resource endpoints = Then.resource(translation, ResourceType.ENDPOINTS, name);
          assertTaken(endpoints, ClusterLoadAssignmentDecoder.decode(endpoints.body(), OPTIONS));
          taken++;
        }
      }
    }
    assertThat(taken).isPositive();
  }

  private static List<Resource> all(Snapshot snapshot) {
    List<Resource> all = new ArrayList<>();
    snapshot.byName(ResourceType.ROUTES).forEach(all::add);
    return all;
  }

  private static void assertTaken(Resource resource, Decoded<?> decoded) {
    assertThat(decoded).as("%s", resource).isInstanceOf(Decoded.Valid.class);
  }
}
