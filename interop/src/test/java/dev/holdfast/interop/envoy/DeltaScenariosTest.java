// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import static dev.holdfast.testkit.envoy.EnvoyResources.edsCluster;
import static dev.holdfast.testkit.envoy.EnvoyResources.endpoint;
import static dev.holdfast.testkit.envoy.EnvoyResources.host;
import static dev.holdfast.testkit.envoy.EnvoyResources.impatientListener;
import static dev.holdfast.testkit.envoy.EnvoyResources.routes;
import static dev.holdfast.testkit.envoy.EnvoyResources.staticCluster;
import static dev.holdfast.testkit.envoy.EnvoyResources.tlsListener;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Proxy.Seen;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.TypeUrls;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What an Envoy does only when it speaks the incremental protocol; true of the real one and of the
 * fake.
 */
@ParameterizedClass
@EnumSource(
    value = Bench.Kind.class,
    names = {"FAKE_DELTA", "REAL_DELTA"})
class DeltaScenariosTest {
  private static final Cluster BAD =
      Resources.cluster(
          """
          {"name": "bad", "type": "STATIC", "connect_timeout": "1s",
           "load_assignment": {"cluster_name": "bad", "endpoints": [{"lb_endpoints": [%s]}]}}
          """
              .formatted(endpoint("no-ip", 80)));

  private final Bench bench;

  DeltaScenariosTest(Bench.Kind kind) {
    bench = Bench.start(kind);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void aChangedClusterSilentlyWaitsForItsEndpoints() {
    bench.bootEds();
    long before = bench.asks(TypeUrls.CLUSTER_LOAD_ASSIGNMENT);

    Script.Push held = bench.script.push(edsCluster("eds", "2s"));
    bench.proxy.await("warms", () -> bench.proxy.warmingClusters().contains("eds"));
    bench.script.push(routes("routes", host("one.example", "eds"))).acked();

    assertThat(bench.asks(TypeUrls.CLUSTER_LOAD_ASSIGNMENT)).isEqualTo(before);
    assertThat(held.isAnswered()).isFalse();
    assertThat(bench.proxy.get("ingress", "one.example")).isEqualTo(Seen.from("one"));
    bench.script.push(Resources.endpoints("eds", bench.two.port())).acked();
    held.acked();
    bench.proxy.awaitSeen("ingress", "one.example", Seen.from("two"));
  }

  @Test
  void endpointsThatAreSaidToBeGoneLetTheClusterWarmWithoutAny() {
    bench.boot();
    Script.Push held = bench.script.push(edsCluster("eds"));
    bench.script.awaitSubscription(TypeUrls.CLUSTER_LOAD_ASSIGNMENT, "eds");

    bench.script.remove(TypeUrls.CLUSTER_LOAD_ASSIGNMENT, "eds").acked();

    held.acked();
    bench.script.push(routes("routes", host("one.example", "eds"))).acked();
    bench.proxy.awaitSeen("ingress", "one.example", Seen.UNAVAILABLE);
  }

  @Test
  void endpointsInUseThatAreSaidToBeGoneStay() {
    bench.bootEds();

    bench.script.remove(TypeUrls.CLUSTER_LOAD_ASSIGNMENT, "eds").acked();

    assertThat(bench.proxy.get("ingress", "one.example")).isEqualTo(Seen.from("one"));
  }

  @Test
  void routesThatAreSaidToBeGoneKeepTheListenerWarmingForEver() {
    bench.bootClusters();
    bench.script.push(impatientListener("ingress", "routes")).acked();
    bench.script.awaitSubscription(TypeUrls.ROUTE_CONFIGURATION, "routes");
    bench.script.remove(TypeUrls.ROUTE_CONFIGURATION, "routes").acked();

    // Longer than routes that merely do not come are waited for.
    org.awaitility.Awaitility.await()
        .dontCatchUncaughtExceptions()
        .during(java.time.Duration.ofMillis(700))
        .atMost(java.time.Duration.ofSeconds(60))
        .until(() -> !bench.proxy.isReady());

    bench.script.push(routes("routes", host("one.example", "one"))).acked();
    bench.proxy.awaitReady();
    bench.proxy.awaitSeen("ingress", "one.example", Seen.from("one"));
  }

  @Test
  void aSecretThatIsSaidToBeGoneLetsTheListenerGoLive() {
    bench.boot();
    bench.script.push(tlsListener("secure", "routes", "cert")).acked();
    bench.script.awaitSubscription(TypeUrls.SECRET, "cert");

    bench.script.remove(TypeUrls.SECRET, "cert").acked();

    // In force, but with nothing to show.
    bench.proxy.await(
        "active", () -> bench.proxy.stat("listener_manager.total_listeners_active") == 2);
  }

  @Test
  void afterAPartlyBadResponseANewStreamTellsOfWhatWasBeforeIt() {
    bench.boot();
    bench
        .script
        .push(TypeUrls.CLUSTER, List.of(staticCluster("good", 1), BAD), List.of("two"))
        .nacked();
    assertThat(bench.proxy.activeClusters()).containsExactlyInAnyOrder("good", "one");

    bench.reconnect();

    assertThat(bench.script.awaitAsks(all -> all.size() == 3).get(0).versions())
        .isEqualTo(Map.of("one", "n1", "two", "n1"));
  }
}
