// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static dev.holdfast.controlplane.translate.YamlObjects.root;
import static dev.holdfast.controlplane.translate.YamlObjects.routes;
import static dev.holdfast.controlplane.translate.YamlObjects.service;
import static dev.holdfast.controlplane.translate.YamlObjects.to;
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

/**
 * Roots for proxyless gRPC clients: subscribed by name, with only the features that such clients
 * support.
 */
class ApiHostTest {
  private static final DecodeOptions OPTIONS = DecodeOptions.defaults();

  private static List<String> lines(Translation translation) {
    return TranslationText.lines(
        TranslationText.table(translation, "api/a.com").getVirtualHosts(0));
  }

  @Test
  void rootHasAnApiListenerNamedLikeItsHost() {
    Translation translation = YamlObjects.translation(service("s") + root("a", routes(to("s"))));

    assertThat(TranslationText.names(translation, ResourceType.LISTENER))
        .containsExactly("ingress_http", "(a.com)");
    assertThat(TranslationText.names(translation, ResourceType.ROUTES))
        .containsExactly("ingress_http", "(api/a.com)");
    assertThat(lines(translation)).containsExactly("/* -> default/s/80");
  }

  @Test
  void unsupportedRoutesFailCalls() {
    Translation translation =
        YamlObjects.translation(
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
    assertThat(TranslationText.warnings(translation))
        .containsExactly(
            "HTTPProxy/default/a: spec.routes[1]: not served to proxyless gRPC clients: TLS"
                + " to Service/default/s (expected by gRPC clients: h2c)",
            "HTTPProxy/default/a: spec.routes[2]: not served to proxyless gRPC clients: load"
                + " balancing Random (expected by gRPC clients: another strategy)");
    assertThat(TranslationText.problems(translation)).isEmpty();
  }

  @Test
  void clientAcceptsTheApiResources() {
    RandomObjects objects = new RandomObjects(7);
    Translation translation = Translation.empty(TranslationOptions.defaults());
    int taken = 0;
    for (int step = 0; step < 150; step++) {
      translation = translation.with(objects.changes());
      Snapshot snapshot = translation.snapshot();
      for (Resource routes : all(snapshot)) {
        String host = routes.name().substring("api/".length());
        Resource listener = TranslationText.resource(translation, ResourceType.LISTENER, host);
        assertTaken(listener, ListenerDecoder.decode(listener.body(), OPTIONS));
        assertTaken(routes, RouteConfigurationDecoder.decode(routes.body(), OPTIONS));
        for (Map.Entry<String, String> need : routes.clusters()) {
          Resource cluster =
              TranslationText.resource(translation, ResourceType.CLUSTER, need.getKey());
          assertTaken(cluster, ClusterDecoder.decode(cluster.body(), OPTIONS));
          String name =
              TranslationText.cluster(translation, need.getKey())
                  .getEdsClusterConfig()
                  .getServiceName();
          Resource endpoints = TranslationText.resource(translation, ResourceType.ENDPOINTS, name);
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
