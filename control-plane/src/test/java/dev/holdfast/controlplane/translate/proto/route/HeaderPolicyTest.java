// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.translate.proto.Text;
import io.envoyproxy.envoy.config.core.v3.HeaderValueOption;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.WeightedCluster.ClusterWeight;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Changes of headers. */
class HeaderPolicyTest {
  private static final String BOTH =
      "requestHeadersPolicy: {set: [{name: X-B, value: b}, {name: x-a, value: a}], remove: [X-C]},"
          + " responseHeadersPolicy: {set: [{name: X-D, value: d}], remove: [X-E, X-F]}";

  private static List<String> names(List<HeaderValueOption> options) {
    return options.stream()
        .map(option -> option.getHeader().getKey() + "=" + option.getHeader().getValue())
        .toList();
  }

  @Test
  void routeSetsAndRemovesHeaders() {
    Route route = RouteFixtures.route("services: [{name: s, port: 80}], " + BOTH);

    assertThat(route.getRoute().getCluster()).isEqualTo("c/s");
    assertThat(names(route.getRequestHeadersToAddList())).containsExactly("X-B=b", "x-a=a");
    assertThat(route.getRequestHeadersToRemoveList()).containsExactly("X-C");
    assertThat(names(route.getResponseHeadersToAddList())).containsExactly("X-D=d");
    assertThat(route.getResponseHeadersToRemoveList()).containsExactly("X-E", "X-F");
  }

  @Test
  void serviceSetsAndRemovesHeaders() {
    Route route = RouteFixtures.route("services: [{name: s, port: 80, " + BOTH + "}]");

    assertThat(route.getRequestHeadersToAddList()).isEmpty();
    ClusterWeight cluster = route.getRoute().getWeightedClusters().getClusters(0);
    assertThat(cluster.getName()).isEqualTo("c/s");
    assertThat(cluster.getWeight().getValue()).isEqualTo(1);
    assertThat(names(cluster.getRequestHeadersToAddList())).containsExactly("X-B=b", "x-a=a");
    assertThat(cluster.getRequestHeadersToRemoveList()).containsExactly("X-C");
    assertThat(names(cluster.getResponseHeadersToAddList())).containsExactly("X-D=d");
    assertThat(cluster.getResponseHeadersToRemoveList()).containsExactly("X-E", "X-F");
  }

  @Test
  void setHeaderReplacesEvenWithAnEmptyValue() {
    Route route =
        RouteFixtures.route(
            "services: [{name: s, port: 80}], requestHeadersPolicy: {set: [{name: a, value: b},"
                + " {name: c, value: ''}]}");

    assertThat(route.getRequestHeadersToAddList().stream().map(Text::of))
        .containsExactly(
            "header { key: \"a\" value: \"b\" } append_action: OVERWRITE_IF_EXISTS_OR_ADD",
            "header { key: \"c\" } append_action: OVERWRITE_IF_EXISTS_OR_ADD keep_empty_value:"
                + " true");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      value = {
        "plain => plain",
        "100% => 100%%",
        "%% => %%%%",
        "% a % => %% a %%",
        "%PROTOCOL% => %PROTOCOL%",
        "%UNKNOWN% => %%UNKNOWN%%",
        "%protocol% => %%protocol%%",
        "%%PROTOCOL% => %%%PROTOCOL%",
        "%HOSTNAME%%PROTOCOL% => %HOSTNAME%%PROTOCOL%",
        "%UNKNOWN%PROTOCOL% => %%UNKNOWN%PROTOCOL%",
        "%REQ(X-Request-Id)% => %REQ(X-Request-Id)%",
        "%REQ(:path)% => %%REQ(:path)%%",
        "%REQ(a?b)% => %%REQ(a?b)%%",
        "%CONTOUR_NAMESPACE%! => shop!",
        "%CONTOUR_SERVICE_NAME% => %%CONTOUR_SERVICE_NAME%%",
        "%DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT% => %DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT%",
      })
  void onlyKnownVariablesAreKept(String written, String format) {
    Route route =
        RouteFixtures.route(
            "services: [{name: s, port: 80}], responseHeadersPolicy: {set: [{name: a, value: '"
                + written
                + "'}]}");

    assertThat(names(route.getResponseHeadersToAddList())).containsExactly("a=" + format);
  }

  @Test
  void serviceVariablesAreSubstituted() {
    Route route =
        RouteFixtures.route(
            "services: [{name: s, port: 80, requestHeadersPolicy: {set: [{name: a, value:"
                + " '%CONTOUR_NAMESPACE%/%CONTOUR_SERVICE_NAME%:%CONTOUR_SERVICE_PORT%'}]}}]");

    assertThat(
            names(
                route.getRoute().getWeightedClusters().getClusters(0).getRequestHeadersToAddList()))
        .containsExactly("a=shop/s:80");
  }
}
