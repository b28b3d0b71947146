// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static dev.holdfast.controlplane.translate.YamlObjects.at;
import static dev.holdfast.controlplane.translate.YamlObjects.proxy;
import static dev.holdfast.controlplane.translate.YamlObjects.root;
import static dev.holdfast.controlplane.translate.YamlObjects.routes;
import static dev.holdfast.controlplane.translate.YamlObjects.service;
import static dev.holdfast.controlplane.translate.YamlObjects.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Decoded;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
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
import org.jspecify.annotations.Nullable;
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

  private static String route(String path, String rest) {
    return "{conditions: [{prefix: " + path + "}], " + rest + "}";
  }

  private static final String TO_S = "services: [{name: s, port: 80}]";

  private static @Nullable String absence(Translation translation, String cluster) {
    return translation.snapshot().absence(new ResourceId(ResourceType.CLUSTER, cluster));
  }

  @Test
  void routesThatGrpcCannotFollowLeadToAClusterThatSaysWhy() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + root(
                    "a",
                    routes(
                        to("s"),
                        route("/tls", "services: [{name: s, port: 80, protocol: tls}]"),
                        route("/random", "loadBalancerPolicy: {strategy: Random}, " + TO_S),
                        route("/redirect", "requestRedirectPolicy: {path: /x}"),
                        route("/teapot", "directResponsePolicy: {statusCode: 418}"),
                        route(
                            "/rewrite",
                            "pathRewritePolicy: {replacePrefix: [{replacement: /x}]}, " + TO_S),
                        route("/ip", "ipAllowPolicy: [{source: Peer, cidr: 10.0.0.0/8}], " + TO_S),
                        "{conditions: [{queryParameter: {name: q, present: true}}], "
                            + TO_S
                            + "}")));

    assertThat(lines(translation))
        .containsExactly(
            "/redirect* -> unavailable/default/a/routes[3]/redirect",
            "/rewrite/* -> unavailable/default/a/routes[5]/path-rewrite",
            "/rewrite* -> unavailable/default/a/routes[5]/path-rewrite",
            "/random* -> unavailable/default/a/routes[2]/random",
            "/teapot* -> unavailable/default/a/routes[4]/direct-response",
            "/tls* -> unavailable/default/a/routes[1]/tls-upstream",
            "/ip* -> unavailable/default/a/routes[6]/ip-policy",
            "/* -> default/s/80");
    assertThat(TranslationText.grpc(translation))
        .containsExactly(
            "HTTPProxy/default/a fails spec.routes[3]: requestRedirectPolicy (gRPC clients do not"
                + " follow redirects)",
            "HTTPProxy/default/a fails spec.routes[5]: pathRewritePolicy (gRPC clients cannot"
                + " change a path)",
            "HTTPProxy/default/a fails spec.routes[2]: loadBalancerPolicy.strategy Random (gRPC"
                + " clients have no such strategy)",
            "HTTPProxy/default/a fails spec.routes[4]: directResponsePolicy (gRPC clients cannot"
                + " answer a call themselves)",
            "HTTPProxy/default/a fails spec.routes[1]: TLS to Service/default/s (gRPC clients need"
                + " protocol h2c here)",
            "HTTPProxy/default/a fails spec.routes[6]: ipAllowPolicy (gRPC clients would bypass"
                + " it)",
            "HTTPProxy/default/a ignores spec.routes[7].conditions: a gRPC call has no query"
                + " parameters, so none matches");
    assertThat(absence(translation, "unavailable/default/a/routes[3]/redirect"))
        .isEqualTo(
            "calls to spec.routes[3] of HTTPProxy/default/a fail: requestRedirectPolicy (gRPC"
                + " clients do not follow redirects)");
    assertThat(TranslationText.problems(translation)).isEmpty();
    assertThat(TranslationText.warnings(translation)).isEmpty();
  }

  @Test
  void missingServicesAndIncludesFailCallsWithTheirProblem() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + root(
                    "a",
                    "includes: [{name: none, conditions: [{prefix: /none}]}], "
                        + routes(to("s"), at("/gone", "gone"))));

    assertThat(lines(translation))
        .containsExactly(
            "/none* -> unavailable/default/a/includes[0]/include",
            "/gone* -> unavailable/default/a/routes[1]/service",
            "/* -> default/s/80");
    assertThat(absence(translation, "unavailable/default/a/includes[0]/include"))
        .endsWith("HTTPProxy/default/none does not exist");
    assertThat(absence(translation, "unavailable/default/a/routes[1]/service"))
        .endsWith("Service/default/gone does not exist");
    assertThat(TranslationText.grpc(translation)).isEmpty();
  }

  @Test
  void restrictionsOfTheHostMakeAllRoutesUnavailable() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + proxy(
                    "a",
                    "virtualhost: {fqdn: a.com, ipDenyPolicy: [{source: Peer, cidr: 10.0.0.0/8}]},"
                        + " includes: [{name: b, conditions: [{prefix: /b}]}], "
                        + routes(to("s")))
                + proxy("b", routes(to("s"))));

    assertThat(lines(translation))
        .containsExactly(
            "/b* -> unavailable/default/b/routes[0]/ip-policy",
            "/* -> unavailable/default/a/routes[0]/ip-policy");
    assertThat(TranslationText.grpc(translation))
        .containsExactly(
            "HTTPProxy/default/a fails spec.routes[0]: virtualhost.ipDenyPolicy (gRPC clients"
                + " would bypass it)",
            "HTTPProxy/default/b fails spec.routes[0]: virtualhost.ipDenyPolicy (gRPC clients"
                + " would bypass it)");
  }

  @Test
  void policiesThatRestrictAccessMakeRoutesUnavailableAndOthersAreIgnored() {
    String lua =
        "{name: lua, typedConfig: {'@type':"
            + " type.googleapis.com/envoy.extensions.filters.http.lua.v3.Lua,"
            + " default_source_code: {inline_string: ''}}}";
    String rbac =
        "{name: guard, typedConfig: {'@type':"
            + " type.googleapis.com/envoy.extensions.filters.http.rbac.v3.RBAC}}";
    Translation translation =
        YamlObjects.translation(
            service("s")
                + root("a", routes(to("s"), at("/guarded", "s")))
                + policy("lua", "targetRef: {name: a}, httpFilters: [" + lua + "]")
                + policy("guard", "targetRef: {name: a, route: 1}, httpFilters: [" + rbac + "]"));

    assertThat(TranslationText.problems(translation)).isEmpty();
    assertThat(lines(translation))
        .containsExactly(
            "/guarded* -> unavailable/default/a/routes[1]/access-policy", "/* -> default/s/80");
    assertThat(TranslationText.grpc(translation))
        .containsExactly(
            "HTTPProxy/default/a fails spec.routes[1]: guard of ExtensionPolicy/default/guard"
                + " (gRPC clients would bypass it)",
            "HTTPProxy/default/a ignores spec.routes[0]: filters of ExtensionPolicy/default/lua do"
                + " not apply");
  }

  private static String policy(String name, String spec) {
    return YamlObjects.object(
        "holdfast.dev/v1alpha1", "ExtensionPolicy", name, "spec: {" + spec + "}");
  }

  @Test
  void ignoredFieldsAreNamed() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + root(
                    "a",
                    routes(
                        "{requestHeadersPolicy: {set: [{name: x, value: y}]}, retryPolicy:"
                            + " {retryOn: [5xx]}, services: [{name: s, port: 80}, {name: s, port:"
                            + " 80, mirror: true}]}")));

    assertThat(lines(translation)).containsExactly("/* -> default/s/80");
    assertThat(TranslationText.grpc(translation))
        .containsExactly(
            "HTTPProxy/default/a ignores spec.routes[0].requestHeadersPolicy: headers are not"
                + " changed",
            "HTTPProxy/default/a ignores spec.routes[0].services[1].mirror: calls are not"
                + " mirrored",
            "HTTPProxy/default/a ignores spec.routes[0].retryPolicy.retryOn: gRPC clients retry"
                + " only on gRPC codes such as unavailable");
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
