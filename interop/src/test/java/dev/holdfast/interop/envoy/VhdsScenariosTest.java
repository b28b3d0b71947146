// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import static dev.holdfast.testkit.envoy.EnvoyResources.host;
import static dev.holdfast.testkit.envoy.EnvoyResources.hostOf;
import static dev.holdfast.testkit.envoy.EnvoyResources.impatientListener;
import static dev.holdfast.testkit.envoy.EnvoyResources.listener;
import static dev.holdfast.testkit.envoy.EnvoyResources.regexHost;
import static dev.holdfast.testkit.envoy.EnvoyResources.routes;
import static dev.holdfast.testkit.envoy.EnvoyResources.routesByHost;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import dev.holdfast.interop.envoy.Proxy.Seen;
import dev.holdfast.testkit.TypeUrls;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What an Envoy does with virtual hosts that come one by one (VHDS); true of the real one and of
 * the fake.
 */
@ParameterizedClass
@EnumSource(
    value = Bench.Kind.class,
    names = {"FAKE_DELTA", "REAL_DELTA"})
class VhdsScenariosTest {
  private final Bench bench;

  VhdsScenariosTest(Bench.Kind kind) {
    bench = Bench.start(kind);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static VirtualHost bad(String domain) {
    return routes("any", regexHost(domain, "(abc", "one")).getVirtualHosts(0).toBuilder()
        .setName("table/" + domain)
        .build();
  }

  /** A listener whose table waits for its hosts. */
  private void bootEmpty() {
    bench.bootClusters();
    bench.script.push(listener("ingress", "table")).acked();
    bench.script.awaitSubscription(TypeUrls.ROUTE_CONFIGURATION, "table");
    bench.script.push(routesByHost("table")).acked();
    bench.script.awaitSubscription(TypeUrls.VIRTUAL_HOST);
  }

  /** The same, and {@code one.example} leads to one. */
  private void bootHost() {
    bootEmpty();
    bench.script.push(hostOf("table", "one.example", "one")).acked();
    bench.proxy.awaitReady();
    bench.proxy.awaitSeen("ingress", "one.example", Seen.from("one"));
  }

  private void stays(String domain, Seen seen) {
    Awaitility.await()
        .dontCatchUncaughtExceptions()
        .during(Duration.ofMillis(300))
        .atMost(Duration.ofSeconds(60))
        .until(() -> bench.proxy.get("ingress", domain).equals(seen));
  }

  @Test
  void allHostsAreAskedForBeforeTheTableIsAccepted() {
    bootEmpty();

    List<String> asked = bench.script.asks().stream().map(Ask::type).toList();
    assertThat(asked.indexOf(TypeUrls.VIRTUAL_HOST))
        .isLessThan(asked.lastIndexOf(TypeUrls.ROUTE_CONFIGURATION));
    assertThat(
            bench.script.asks().stream()
                .filter(ask -> ask.type().equals(TypeUrls.VIRTUAL_HOST))
                .findFirst()
                .orElseThrow()
                .names())
        .isEmpty();
  }

  @Test
  void theListenerWaitsForTheFirstHosts() {
    bootEmpty();
    assertThat(bench.proxy.isReady()).isFalse();

    bench
        .script
        .push(hostOf("table", "one.example", "one"), hostOf("table", "two.example", "two"))
        .acked();

    bench.proxy.awaitReady();
    bench.proxy.awaitSeen("ingress", "one.example", Seen.from("one"));
    bench.proxy.awaitSeen("ingress", "two.example", Seen.from("two"));
  }

  @Test
  void aResponseWithoutAnythingDoesNotEndTheWaitButARemovalDoes() {
    bootEmpty();

    bench.script.push(TypeUrls.VIRTUAL_HOST, List.of(), List.of()).acked();
    Awaitility.await()
        .dontCatchUncaughtExceptions()
        .during(Duration.ofMillis(300))
        .atMost(Duration.ofSeconds(60))
        .until(() -> !bench.proxy.isReady());
    bench.script.remove(TypeUrls.VIRTUAL_HOST, "table/whatever").acked();

    bench.proxy.awaitReady();
    bench.proxy.awaitSeen("ingress", "one.example", Seen.NO_ROUTE);
  }

  @Test
  void aFirstResponseThatIsRejectedLeavesNoHostUntilAGoodOneComes() {
    bootEmpty();

    assertThat(bench.script.push(hostOf("table", "one.example", "one"), bad("bad")).nacked())
        .contains("missing ");

    bench.proxy.awaitReady();
    stays("one.example", Seen.NO_ROUTE);
    bench.script.push(hostOf("table", "one.example", "one")).acked();
    bench.proxy.awaitSeen("ingress", "one.example", Seen.from("one"));
  }

  @Test
  void nothingOfARejectedResponseIsUsedAndTheSameIsRejectedAgain() {
    bootHost();

    for (int i = 0; i < 2; i++) {
      bench.script.push(hostOf("table", "two.example", "two"), bad("bad")).nacked();
      stays("two.example", Seen.NO_ROUTE);
      assertThat(bench.proxy.get("ingress", "one.example")).isEqualTo(Seen.from("one"));
    }
    bench.script.push(bad("one.example")).nacked();
    stays("one.example", Seen.from("one"));
    bench.script.push(hostOf("table", "two.example", "two")).acked();
    bench.proxy.awaitSeen("ingress", "two.example", Seen.from("two"));
  }

  @Test
  void aHostThatIsGoneIsGoneAndCanComeBack() {
    bootHost();

    bench.script.remove(TypeUrls.VIRTUAL_HOST, "table/one.example").acked();
    bench.proxy.awaitSeen("ingress", "one.example", Seen.NO_ROUTE);

    bench.script.push(hostOf("table", "one.example", "two")).acked();
    bench.proxy.awaitSeen("ingress", "one.example", Seen.from("two"));
  }

  @Test
  void aHostThatBearsAnotherNameThanItsResourceCannotBeRemoved() {
    bootHost();
    VirtualHost host =
        hostOf("table", "two.example", "two").toBuilder().setName("two.example").build();

    bench
        .script
        .pushRaw(TypeUrls.VIRTUAL_HOST, Map.of("table/two.example", Any.pack(host)))
        .acked();
    bench.proxy.awaitSeen("ingress", "two.example", Seen.from("two"));
    bench.script.remove(TypeUrls.VIRTUAL_HOST, "table/two.example").acked();

    stays("two.example", Seen.from("two"));
  }

  @Test
  void hostsOfOtherTablesAreAcceptedWithoutEffect() {
    bootHost();

    bench.script.push(hostOf("other", "two.example", "two")).acked();
    bench.script.push(hostOf("table/more", "two.example", "two")).acked();
    bench.script.push(hostOf("tab", "two.example", "two")).acked();

    stays("two.example", Seen.NO_ROUTE);
  }

  @Test
  void aHostWithTheDomainOfAnotherIsRejected() {
    bootHost();
    VirtualHost same =
        hostOf("table", "one.example", "two").toBuilder().setName("table/same").build();

    assertThat(bench.script.push(same).nacked())
        .isEqualTo(
            "Only unique values for domains are permitted. Duplicate entry of domain one.example in"
                + " route table");
  }

  @Test
  void hostsStayWhenTheTableChanges() {
    bootHost();

    bench
        .script
        .push(routesByHost("table").toBuilder().addResponseHeadersToRemove("x-gone").build())
        .acked();

    stays("one.example", Seen.from("one"));
  }

  @Test
  void aNewStreamIsToldOfTheHostsThatAreThere() {
    bootHost();

    bench.reconnect();
    bench.script.awaitSubscription(TypeUrls.VIRTUAL_HOST);

    Ask ask =
        bench.script.asks().stream()
            .filter(each -> each.type().equals(TypeUrls.VIRTUAL_HOST))
            .findFirst()
            .orElseThrow();
    assertThat(ask.names()).isEmpty();
    assertThat(ask.versions().keySet()).containsExactly("table/one.example");
    assertThat(bench.proxy.get("ingress", "one.example")).isEqualTo(Seen.from("one"));
    bench.script.remove(TypeUrls.VIRTUAL_HOST, "table/one.example").acked();
    bench.proxy.awaitSeen("ingress", "one.example", Seen.NO_ROUTE);
  }

  @Test
  void anotherNameOfATableIsTakenWhenItsHostsAreThere() {
    bench.boot();

    bench.script.push(listener("ingress", "table")).acked();
    bench.script.awaitSubscription(TypeUrls.ROUTE_CONFIGURATION, "table");
    bench.script.push(routesByHost("table")).acked();
    bench.script.awaitSubscription(TypeUrls.VIRTUAL_HOST);
    stays("one.example", Seen.from("one"));
    bench.script.push(hostOf("table", "one.example", "two")).acked();

    bench.proxy.awaitSeen("ingress", "one.example", Seen.from("two"));
  }

  @Test
  void aTableThatIsRejectedOpensListenersThatWaitForTheHostsOfAnother() {
    bench.boot();
    bench.script.push(listener("ingress", "table")).acked();
    bench.script.awaitSubscription(TypeUrls.ROUTE_CONFIGURATION, "table");
    bench.script.push(routesByHost("table")).acked();
    bench.script.awaitSubscription(TypeUrls.VIRTUAL_HOST);

    bench.script.push(routes("routes", regexHost("one.example", "(abc", "one"))).nacked();

    bench.proxy.awaitSeen("ingress", "one.example", Seen.NO_ROUTE);
  }

  @Test
  void aTableThatIsDroppedAndComesBackDoesNotAskForItsHosts() {
    bootHost();
    dropTable();
    long before = bench.asks(TypeUrls.VIRTUAL_HOST);

    bench.script.push(impatientListener("ingress", "table")).acked();
    Script.Push table = bench.script.push(routesByHost("table"));
    table.acked();

    assertThat(bench.asks(TypeUrls.VIRTUAL_HOST)).isEqualTo(before);
    bench.script.push(hostOf("table", "one.example", "one")).acked();
    bench.proxy.awaitSeen("ingress", "one.example", Seen.from("one"));
  }

  @Test
  void aNewStreamIsToldOfHostsWhoseTableIsGoneAndTheTableComesBackWithoutThem() {
    bootHost();
    dropTable();

    bench.reconnect();
    bench.script.awaitSubscription(TypeUrls.VIRTUAL_HOST);
    assertThat(bench.script.asks().stream().filter(VhdsScenariosTest::isForHosts).toList())
        .extracting(Ask::versions)
        .containsExactly(Map.of("table/one.example", "n4"));
    bench.script.push(hostOf("table", "one.example", "one")).acked(); // and forgotten
    bench.script.push(impatientListener("ingress", "table")).acked();
    bench.script.awaitSubscription(TypeUrls.ROUTE_CONFIGURATION, "table");
    bench.script.push(routesByHost("table")).acked();

    stays("one.example", Seen.from("two"));
    assertThat(bench.script.asks().stream().filter(VhdsScenariosTest::isForHosts)).hasSize(2);
    bench.script.push(hostOf("table", "one.example", "one")).acked();
    bench.proxy.awaitSeen("ingress", "one.example", Seen.from("one"));
  }

  private static boolean isForHosts(Ask ask) {
    return ask.type().equals(TypeUrls.VIRTUAL_HOST);
  }

  /** The listener goes to another table, and the proxy drops the one that it had. */
  private void dropTable() {
    bench.script.push(listener("ingress", "routes")).acked();
    bench.script.awaitSubscription(TypeUrls.ROUTE_CONFIGURATION, "routes");
    bench.script.push(routes("routes", host("one.example", "two"))).acked();
    bench.proxy.awaitSeen("ingress", "one.example", Seen.from("two"));
    bench.script.awaitAsks(
        asks -> asks.stream().anyMatch(ask -> ask.unsubscribed().contains("table")));
  }
}
