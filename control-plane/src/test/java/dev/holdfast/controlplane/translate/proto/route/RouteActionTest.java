// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.translate.proto.Text;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteAction;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Routes that forward requests. */
class RouteActionTest {
  private static final String SERVICE = "services: [{name: s, port: 80}]";

  private static RouteAction action(String yaml) {
    return RouteFixtures.route(yaml).getRoute();
  }

  @Test
  void unsetFieldsAreLeftToEnvoy() {
    assertThat(Text.of(RouteFixtures.route(SERVICE)))
        .isEqualTo("match { prefix: \"/\" } route { cluster: \"c/s\" }");
  }

  @ParameterizedTest
  @CsvSource({"1,3,1 3", "0,3,0 3", "0,0,1 1", "4294967295,0,4294967295 0"})
  void requestsAreSplitByWeightOrEqually(String first, String second, String weights) {
    RouteAction action =
        action(
            "services: [{name: s, port: 80, weight: %s}, {name: t, port: 80, weight: %s}]"
                .formatted(first, second));

    assertThat(action.getWeightedClusters().getClustersList())
        .extracting(cluster -> cluster.getName())
        .containsExactly("c/s", "c/t");
    assertThat(action.getWeightedClusters().getClustersList())
        .extracting(cluster -> Integer.toUnsignedString(cluster.getWeight().getValue()))
        .containsExactly(weights.split(" "));
  }

  @ParameterizedTest
  @CsvSource({"'',100", "', weight: 7',7"})
  void mirrorGetsAPercentageOfRequests(String weight, int percent) {
    RouteAction action =
        action("services: [{name: s, port: 80}, {name: m, port: 80, mirror: true" + weight + "}]");

    assertThat(action.getCluster()).isEqualTo("c/s");
    assertThat(action.getRequestMirrorPoliciesList().stream().map(Text::of))
        .containsExactly(
            "cluster: \"c/m\" runtime_fraction { default_value { numerator: " + percent + " } }");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      value = {
        "response: 3s => timeout { seconds: 3 }",
        "response: infinity => timeout { }",
        "response: 0s => ",
        "response: 1ns => timeout { nanos: 1000000 }",
        "response: 2562047h => timeout { seconds: 3153600000 }",
        "idle: 1h => idle_timeout { seconds: 3600 }",
        "idle: infinite => idle_timeout { }",
        "idle: 0s => ",
        "response: 1500ms, idle: 250ms => timeout { seconds: 1 nanos: 500000000 } idle_timeout { nanos: 250000000 }",
      })
  void zeroTimeoutIsUnsetAndInfinityIsZero(String written, @Nullable String text) {
    assertThat(Text.of(action(SERVICE + ", timeoutPolicy: {" + written + "}")))
        .isEqualTo(("cluster: \"c/s\" " + (text == null ? "" : text)).strip());
  }

  @Test
  void websocketsAreAnUpgradeConfig() {
    assertThat(
            action(SERVICE + ", enableWebsockets: true").getUpgradeConfigsList().stream()
                .map(Text::of))
        .containsExactly("upgrade_type: \"websocket\"");
  }

  @Test
  void cookieStrategyUsesASessionCookie() {
    assertThat(
            action(SERVICE + ", loadBalancerPolicy: {strategy: Cookie}")
                .getHashPolicyList()
                .stream()
                .map(Text::of))
        .containsExactly("cookie { name: \"X-Contour-Session-Affinity\" ttl { } path: \"/\" }");
    assertThat(action(SERVICE + ", loadBalancerPolicy: {strategy: Random}").getHashPolicyList())
        .isEmpty();
  }

  @Test
  void prefixIsRewritten() {
    assertThat(
            action(
                    SERVICE
                        + ", conditions: [{prefix: /a}], pathRewritePolicy: {replacePrefix:"
                        + " [{replacement: /b}]}")
                .getPrefixRewrite())
        .isEqualTo("/b");
  }

  @Test
  void hostIsRewritten() {
    assertThat(
            Text.of(
                RouteFixtures.route(
                    SERVICE
                        + ", requestHeadersPolicy: {set: [{name: Host, value: other.example}]}")))
        .isEqualTo(
            "match { prefix: \"/\" } route { cluster: \"c/s\" host_rewrite_literal:"
                + " \"other.example\" }");
    assertThat(
            action(SERVICE + ", requestHeadersPolicy: {set: [{name: host, value: '%REQ(X-H)%'}]}")
                .getHostRewriteHeader())
        .isEqualTo("X-H");
    assertThat(
            action(
                    "services: [{name: s, port: 80, requestHeadersPolicy: {set: [{name: Host,"
                        + " value: other.example}]}}]")
                .getWeightedClusters()
                .getClusters(0)
                .getHostRewriteLiteral())
        .isEqualTo("other.example");
  }

  @Test
  void routeWithoutServicesAnswers503() {
    RouteSpec spec =
        RouteFixtures.spec("services: [{name: s, port: 80}, {name: m, port: 80, mirror: true}]");
    RouteSpec mirrorOnly =
        new RouteSpec(spec.route(), spec.fqdn(), spec.namespace(), spec.mirrors());

    for (RouteSpec left :
        List.of(
            mirrorOnly, new RouteSpec(spec.route(), spec.fqdn(), spec.namespace(), List.of()))) {
      assertThat(Text.of(Routes.of(left, RouteFixtures.form(left))))
          .isEqualTo("match { prefix: \"/\" } direct_response { status: 503 }");
    }
  }

  @Test
  void remainingServicesGetAllRequests() {
    RouteSpec spec =
        RouteFixtures.spec(
            "services: [{name: s, port: 80, weight: 1}, {name: t, port: 80, weight: 1}]");
    RouteSpec left =
        new RouteSpec(spec.route(), spec.fqdn(), spec.namespace(), spec.targets().subList(1, 2));

    Route route = Routes.of(left, RouteFixtures.form(left));

    assertThat(route.getRoute().getCluster()).isEqualTo("c/t");
  }
}
