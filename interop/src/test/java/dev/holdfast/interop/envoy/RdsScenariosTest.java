// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import static dev.holdfast.testkit.envoy.EnvoyResources.host;
import static dev.holdfast.testkit.envoy.EnvoyResources.listener;
import static dev.holdfast.testkit.envoy.EnvoyResources.routes;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import dev.holdfast.interop.envoy.Proxy.Seen;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.testkit.envoy.EnvoyResources;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What an Envoy does with routes, good and bad; true of the real one and of the fake. */
@ParameterizedClass
@EnumSource(Bench.Kind.class)
class RdsScenariosTest {
  private final Bench bench;

  RdsScenariosTest(Bench.Kind kind) {
    bench = Bench.start(kind);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static final String BROKEN_LUA = "function envoy_on_request(";

  private static RouteConfiguration brokenLua(String name) {
    return EnvoyResources.withLua(routes(name, host("one.example", "two")), BROKEN_LUA);
  }

  @Test
  void aBadUpdateLeavesTheOldRoutesServing() {
    bench.boot();

    assertThat(bench.script.push(brokenLua("routes")).nacked())
        .isEqualTo(
            "script load error: [string \"function envoy_on_request(\"]:1: <name> or '...' expected"
                + " near '<eof>'");
    assertThat(bench.proxy.get("ingress", "one.example")).isEqualTo(Seen.from("one"));
    assertThat(bench.script.push(brokenLua("routes")).nacked()).contains("script load error");

    bench.script.push(routes("routes", host("one.example", "two"))).acked();
    bench.proxy.awaitSeen("ingress", "one.example", Seen.from("two"));
  }

  @Test
  void errorsDoNotSayWhichRoutesTheyAreAbout() {
    bench.boot();

    assertThat(bench.script.push(brokenLua("routes")).nacked()).doesNotContain("routes");
    assertThat(
            bench
                .script
                .push(routes("routes", EnvoyResources.regexHost("a", "(abc", "one")))
                .nacked())
        .contains("(abc")
        .doesNotContain("routes");
  }

  @Test
  void aDomainTwiceIsRejectedInWhicheverCase() {
    bench.boot();

    assertThat(
            bench
                .script
                .push(routes("routes", host("a.com", "one"), host("A.com", "two")))
                .nacked())
        .isEqualTo(
            "Only unique values for domains are permitted. Duplicate entry of domain a.com in route"
                + " routes");
  }

  @Test
  void weightsThatAreAllZeroAreRejected() {
    bench.boot();

    assertThat(
            bench
                .script
                .push(
                    Resources.routeConfiguration(
                        """
                        {"name": "routes", "virtual_hosts": [{"name": "v", "domains": ["*"], "routes": [{
                          "match": {"prefix": "/"},
                          "route": {"weighted_clusters": {"clusters": [
                            {"name": "one", "weight": 0}, {"name": "two", "weight": 0}]}}}]}]}
                        """))
                .nacked())
        .contains("Sum of weights in the weighted_cluster must be greater than 0.");
  }

  @Test
  void aRegularExpressionThatIsTooBigIsRejected() {
    bench.boot();

    assertThat(
            bench
                .script
                .push(routes("routes", EnvoyResources.regexHost("a", "/[a-z]{200}", "one")))
                .nacked())
        .contains("RE2 program size of")
        .contains("> max program size of 100 set for the error level threshold");
  }

  @Test
  void aRouteToAClusterThatDoesNotExistIsAccepted() {
    bench.boot();

    bench.script.push(routes("routes", host("one.example", "nowhere"))).acked();

    bench.proxy.awaitSeen("ingress", "one.example", Seen.UNAVAILABLE);
  }

  @Test
  void aNegativeDurationCostsTheWholeResponse() {
    bench.bootClusters();
    bench.script.push(listener("a", "ra"), listener("b", "rb")).acked();
    bench.script.awaitSubscription(TypeUrls.ROUTE_CONFIGURATION, "ra", "rb");
    bench.script.push(routes("ra", host("a", "one"))).acked();
    bench.script.push(routes("rb", host("b", "one"))).acked();
    bench.proxy.awaitReady();

    RouteConfiguration.Builder bad = routes("ra", host("a", "two")).toBuilder();
    bad.getVirtualHostsBuilder(0)
        .getRoutesBuilder(0)
        .getRouteBuilder()
        .setTimeout(Duration.newBuilder().setSeconds(-1));
    String error = bench.script.push(bad.build(), routes("rb", host("b", "two"))).nacked();

    assertThat(error).contains("Expected positive duration");
    assertThat(bench.proxy.get("a", "a")).isEqualTo(Seen.from("one"));
    assertThat(bench.proxy.get("b", "b")).isEqualTo(Seen.from("one"));
  }

  @Test
  void aBrokenConstraintIsToldWithItsPlaceAtTheEndOfADump() {
    bench.boot();
    RouteConfiguration.Builder bad = routes("routes", host("a", "one")).toBuilder();
    bad.getVirtualHostsBuilder(0).addRoutes(Route.getDefaultInstance());

    assertThat(bench.script.push(bad.build()).nacked())
        .startsWith("goo.gle/debug")
        .contains("name: \"routes\"")
        .endsWith(
            ": Proto constraint validation failed (RouteConfigurationValidationError.VirtualHosts[0]:"
                + " embedded message failed validation | caused by"
                + " VirtualHostValidationError.Routes[1]: embedded message failed validation |"
                + " caused by RouteValidationError.Match: value is required)");
  }

  @Test
  void theFirstRoutesRejectedMakeTheListenerLiveWithoutAny() {
    bench.bootClusters();
    bench.script.push(listener("ingress", "routes")).acked();
    bench.script.awaitSubscription(TypeUrls.ROUTE_CONFIGURATION, "routes");
    assertThat(bench.proxy.isReady()).isFalse();

    bench.script.push(brokenLua("routes")).nacked();

    bench.proxy.awaitReady();
    bench.proxy.awaitSeen("ingress", "one.example", Seen.NO_ROUTE);
  }

  @Test
  void movingAListenerToRoutesThatAreRejectedLosesTheOldOnes() {
    bench.boot();

    bench.script.push(listener("ingress", "moved")).acked();
    bench.script.awaitSubscription(TypeUrls.ROUTE_CONFIGURATION, "moved");
    assertThat(bench.proxy.get("ingress", "one.example")).isEqualTo(Seen.from("one"));
    bench.script.push(brokenLua("moved")).nacked();

    bench.proxy.awaitSeen("ingress", "one.example", Seen.NO_ROUTE);
  }

  @Test
  void badRoutesMakeAnInnocentListenerLiveWithoutAny() {
    bench.boot();
    bench.script.push(listener("innocent", "later")).acked();
    bench.script.awaitSubscription(TypeUrls.ROUTE_CONFIGURATION, "later");
    assertThat(bench.proxy.get("innocent", "one.example")).isEqualTo(Seen.NOTHING);

    bench.script.push(brokenLua("routes")).nacked();

    bench.proxy.awaitSeen("innocent", "one.example", Seen.NO_ROUTE);
    assertThat(bench.proxy.stat("http.innocent.rds.later.update_rejected")).isEqualTo(1);
    bench.script.push(routes("later", host("one.example", "two"))).acked();
    bench.proxy.awaitSeen("innocent", "one.example", Seen.from("two"));
  }

  @Test
  void routesThatNobodyAskedForAreAcceptedAndIgnored() {
    bench.boot();

    bench.script.push(brokenLua("unwanted")).acked();
  }

  @Test
  void theSameRoutesAgainAreAccepted() {
    bench.boot();

    bench.script.push(routes("routes", host("one.example", "one"))).acked();

    assertThat(bench.proxy.get("ingress", "one.example")).isEqualTo(Seen.from("one"));
  }
}
