// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.TestCa;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RequestTracerTest {
  private final FakeEnvoyFixture rig = new FakeEnvoyFixture(EnvoyOptions.sotw("node"));

  @AfterEach
  void close() {
    rig.close();
  }

  private void bootWith(String virtualHosts) {
    rig.boot();
    rig.push(
        EnvoyResources.staticCluster("one", 1001),
        EnvoyResources.staticCluster("two", 1002),
        EnvoyResources.staticCluster("empty"));
    rig.push(
        Resources.routeConfiguration(
            "{\"name\": \"routes\", \"virtual_hosts\": [%s]}".formatted(virtualHosts)));
    assertThat(rig.said()).endsWith("RouteConfiguration");
  }

  private void bootWithRoutes(String routes) {
    bootWith("{\"name\": \"v\", \"domains\": [\"*\"], \"routes\": [%s]}".formatted(routes));
  }

  private String cluster(String host, String path) {
    return rig.envoy.route(host, path).cluster();
  }

  @Test
  void exactDomainsComeBeforeTheLongestSuffixBeforePrefixesBeforeAll() {
    bootWith(
        String.join(
            ", ",
            EnvoyResources.host("*", "all"),
            EnvoyResources.host("a.*", "prefix"),
            EnvoyResources.host("*.example", "suffix"),
            EnvoyResources.host("*.b.example", "longer"),
            EnvoyResources.host("A.b.example", "exact")));

    assertThat(cluster("a.B.example", "/")).isEqualTo("exact");
    assertThat(cluster("c.b.example", "/")).isEqualTo("longer");
    assertThat(cluster("a.example", "/")).isEqualTo("suffix");
    assertThat(cluster("a.other", "/")).isEqualTo("prefix");
    assertThat(cluster("other", "/")).isEqualTo("all");
  }

  @Test
  void theFirstRouteThatMatchesIsTaken() {
    bootWithRoutes(
        """
        {"match": {"path": "/exact"}, "route": {"cluster": "exact"}},
        {"match": {"path_separated_prefix": "/dir"}, "route": {"cluster": "dir"}},
        {"match": {"safe_regex": {"regex": "/[0-9]+"}}, "route": {"cluster": "number"}},
        {"match": {"prefix": "/", "headers": [{"name": "x-a", "string_match": {"exact": "1"}}]},
         "route": {"cluster": "header"}},
        {"match": {"prefix": "/", "headers": [{"name": "x-b", "present_match": true}]},
         "route": {"cluster": "present"}},
        {"match": {"prefix": "/", "query_parameters": [{"name": "q", "string_match": {"prefix": "v"}}]},
         "route": {"cluster": "query"}},
        {"match": {"prefix": "/", "headers": [{"name": ":method", "string_match": {"exact": "GET"}, "invert_match": true}]},
         "route": {"cluster": "method"}},
        {"match": {"prefix": "/"}, "route": {"cluster": "rest"}}
        """);

    assertThat(cluster("h", "/exact")).isEqualTo("exact");
    assertThat(cluster("h", "/dir/x")).isEqualTo("dir");
    assertThat(cluster("h", "/directory")).isEqualTo("rest");
    assertThat(cluster("h", "/123")).isEqualTo("number");
    assertThat(cluster("h", "/123a")).isEqualTo("rest");
    assertThat(cluster("h", "/?a=b&q=value")).isEqualTo("query");
    Request request = Request.of("h", "/");
    assertThat(rig.envoy.route(request.header("X-A", "1")).cluster()).isEqualTo("header");
    assertThat(rig.envoy.route(request.header("X-A", "2")).cluster()).isEqualTo("rest");
    assertThat(rig.envoy.route(request.header("x-b", "")).cluster()).isEqualTo("present");
    assertThat(rig.envoy.route(request.method("POST")).cluster()).isEqualTo("method");
  }

  @Test
  void saysWhyARequestIsNotServed() {
    bootWith(
        String.join(
            ", ",
            EnvoyResources.host("good", "one"),
            EnvoyResources.host("missing", "nowhere"),
            EnvoyResources.host("empty", "empty")));

    assertThat(rig.envoy.route("good", "/"))
        .isEqualTo(RequestOutcome.served("one", java.util.List.of("127.0.0.1:1001")));
    assertThat(rig.envoy.route("missing", "/").flag()).isEqualTo("NC");
    assertThat(rig.envoy.route("empty", "/").flag()).isEqualTo("UH");
    assertThat(rig.envoy.route("other", "/").flag()).isEqualTo("NR");
    assertThat(rig.envoy.route(Request.of("good", "/").at("elsewhere")).status()).isZero();
  }

  @Test
  void ofSeveralClustersTheWorstCounts() {
    bootWithRoutes(
        """
        {"match": {"prefix": "/fine"}, "route": {"weighted_clusters": {"clusters": [
          {"name": "one", "weight": 1}, {"name": "nowhere", "weight": 0}]}}},
        {"match": {"prefix": "/"}, "route": {"weighted_clusters": {"clusters": [
          {"name": "one", "weight": 99}, {"name": "nowhere", "weight": 1}]}}}
        """);

    assertThat(rig.envoy.route("h", "/fine").isServed()).isTrue();
    assertThat(rig.envoy.route("h", "/").flag()).isEqualTo("NC");
  }

  @Test
  void answersOfTheProxyItselfAreServed() {
    bootWithRoutes(
        """
        {"match": {"prefix": "/teapot"}, "direct_response": {"status": 418}},
        {"match": {"prefix": "/"}, "redirect": {"https_redirect": true}}
        """);

    assertThat(rig.envoy.route("h", "/teapot").status()).isEqualTo(418);
    assertThat(rig.envoy.route("h", "/").isServed()).isTrue();
  }

  @Test
  void aTlsListenerServesOnlyWithItsSecret() {
    rig.push(EnvoyResources.staticCluster("one", 1001));
    rig.push(EnvoyResources.tlsListener("secure", "routes", "cert"));
    rig.push(EnvoyResources.routes("routes", EnvoyResources.host("a.example", "one")));
    rig.push(EnvoyResources.secret("cert", "garbage", "garbage"));
    Request request = Request.of("a.example", "/").sni("a.example");
    assertThat(rig.said()).endsWith("Secret!");
    assertThat(rig.envoy.isReady()).isTrue();
    assertThat(rig.envoy.route(request).detail()).isEqualTo("no secret cert");

    rig.push(EnvoyResources.secret("cert", TestCa.create("ca").issue("a")));
    assertThat(rig.envoy.route(request).isServed()).isTrue();
    assertThat(rig.envoy.route("a.example", "/").status()).isZero();
  }
}
