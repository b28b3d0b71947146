// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Problems;
import dev.holdfast.controlplane.translate.proto.Text;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.route.RouteConfigurationDecoder;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Routes for gRPC clients. */
class GrpcRouteTest {
  private static final String SERVICE = "services: [{name: s, port: 80}]";

  /** The routes, all of which a client must accept. */
  private static List<String> routes(String yaml) {
    List<Route> routes = RouteFixtures.grpc(yaml);
    RouteConfiguration table =
        RouteConfiguration.newBuilder()
            .setName("api/shop.example")
            .addVirtualHosts(VirtualHosts.grpc("shop.example", routes))
            .build();
    int kept =
        RouteConfigurationDecoder.decode(table.toByteString(), DecodeOptions.defaults())
            .fold(
                valid -> valid.value().virtualHosts().get(0).routes().size(),
                invalid -> {
                  throw new AssertionError(Problems.describe(invalid.problems()));
                });
    assertThat(kept).isEqualTo(routes.size());
    return routes.stream().map(Text::of).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '\u00a7',
      value = {
        "conditions: [{prefix: /a.B/}] => match { prefix: \"/a.B/\" } route { cluster: \"c/s\" }",
        "conditions: [{exact: /a.B/c}] => match { path: \"/a.B/c\" } route { cluster: \"c/s\" }",
        "conditions: [{regex: '/a.*'}] => match { safe_regex { regex: \"/a.*\" } } route { cluster: \"c/s\" }",
        "conditions: [{header: {name: a, notexact: b, ignoreCase: true}}] => match { prefix: \"/\" headers { name: \"a\" invert_match: true string_match { exact: \"b\" ignore_case: true } } } route { cluster: \"c/s\" }",
        "timeoutPolicy: {response: 3s} => match { prefix: \"/\" } route { cluster: \"c/s\" max_stream_duration { max_stream_duration { seconds: 3 } } }",
        "timeoutPolicy: {response: infinity, idle: 1s} => match { prefix: \"/\" } route { cluster: \"c/s\" }",
        "retryPolicy: {retryOn: [unavailable, 5xx], count: 2} => match { prefix: \"/\" } route { cluster: \"c/s\" retry_policy { retry_on: \"unavailable,5xx\" num_retries { value: 2 } } }",
        "retryPolicy: {count: -1} => match { prefix: \"/\" } route { cluster: \"c/s\" }",
      })
  void supportedFeaturesAreTranslated(String yaml, String text) {
    assertThat(routes(SERVICE + ", " + yaml)).containsExactly(text);
  }

  @Test
  void proxyOnlyFeaturesAreLeftOut() {
    assertThat(
            routes(
                "services: [{name: s, port: 80, requestHeadersPolicy: {set: [{name: a, value:"
                    + " b}]}}, {name: m, port: 80, mirror: true}], loadBalancerPolicy: {strategy:"
                    + " Cookie}, enableWebsockets: true, rateLimitPolicy: {local: {requests: 1,"
                    + " unit: second}}, ipDenyPolicy: [{source: Peer, cidr: 1.2.3.4}],"
                    + " responseHeadersPolicy: {remove: [a]}"))
        .containsExactly("match { prefix: \"/\" } route { cluster: \"c/s\" }");
  }

  @Test
  void requestsAreSplitByWeight() {
    assertThat(routes("services: [{name: s, port: 80}, {name: t, port: 80}]"))
        .containsExactly(
            "match { prefix: \"/\" } route { weighted_clusters { clusters { name: \"c/s\" weight"
                + " { value: 1 } } clusters { name: \"c/t\" weight { value: 1 } } } }");
  }

  @Test
  void unusableRouteLeadsToTheGivenCluster() {
    RouteSpec spec = RouteFixtures.spec("requestRedirectPolicy: {path: /b}");

    assertThat(GrpcRoutes.unavailable(spec.route().conditions(), "none"))
        .extracting(Text::of)
        .containsExactly("match { prefix: \"/\" } route { cluster: \"none\" }");
  }

  @Test
  void queryConditionsMatchNoCall() {
    assertThat(
            RouteFixtures.grpc(
                SERVICE + ", conditions: [{queryParameter: {name: q, present: true}}]"))
        .isEmpty();
  }

  @Test
  void headerThatMayBeMissingGivesTwoRoutes() {
    assertThat(
            routes(
                SERVICE
                    + ", conditions: [{header: {name: a, notexact: b, treatMissingAsEmpty: true}},"
                    + " {header: {name: c, present: true}}]"))
        .containsExactly(
            "match { prefix: \"/\" headers { name: \"a\" invert_match: true string_match { exact:"
                + " \"b\" } } headers { name: \"c\" present_match: true } } route { cluster:"
                + " \"c/s\" }",
            "match { prefix: \"/\" headers { name: \"a\" present_match: true invert_match: true }"
                + " headers { name: \"c\" present_match: true } } route { cluster: \"c/s\" }");
  }

  @Test
  void headerThatMustNotBeEmptyGivesOneRoute() {
    assertThat(
            routes(
                SERVICE
                    + ", conditions: [{header: {name: a, notexact: '', treatMissingAsEmpty:"
                    + " true}}]"))
        .hasSize(1);
  }
}
