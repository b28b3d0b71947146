// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import static dev.holdfast.testkit.envoy.EnvoyResources.edsCluster;
import static dev.holdfast.testkit.envoy.EnvoyResources.host;
import static dev.holdfast.testkit.envoy.EnvoyResources.impatientCluster;
import static dev.holdfast.testkit.envoy.EnvoyResources.routes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.interop.envoy.Proxy.Seen;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.testkit.envoy.EnvoyResources;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What an Envoy does with endpoints, good and bad; true of the real one and of the fake. */
@ParameterizedClass
@EnumSource(Bench.Kind.class)
class EdsScenariosTest {
  private final Bench bench;

  EdsScenariosTest(Bench.Kind kind) {
    bench = Bench.start(kind);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static ClusterLoadAssignment bad(String name) {
    return Resources.clusterLoadAssignment(
        """
        {"cluster_name": "%s", "endpoints": [{"lb_endpoints": [%s]}]}
        """
            .formatted(name, EnvoyResources.endpoint("not-an-ip", 80)));
  }

  /** Serves {@code one.example} from a cluster {@code eds} whose endpoint is backend one. */
  private void bootEds() {
    bench.boot();
    bench.script.push(edsCluster("eds"));
    bench.script.awaitSubscription(TypeUrls.CLUSTER_LOAD_ASSIGNMENT, "eds");
    bench.script.push(Resources.endpoints("eds", bench.one.port())).acked();
    bench.script.push(routes("routes", host("one.example", "eds"))).acked();
    bench.proxy.awaitSeen("ingress", "one.example", Seen.from("one"));
  }

  @Test
  void badEndpointsLeaveTheOldOnesServing() {
    bootEds();

    String error = bench.script.push(bad("eds")).nacked();

    assertThat(error).startsWith("malformed IP address: not-an-ip").doesNotContain("eds");
    assertThat(bench.proxy.get("ingress", "one.example")).isEqualTo(Seen.from("one"));
    bench.script.push(bad("eds")).nacked();
  }

  @Test
  void badEndpointsMakeAnInnocentClusterActiveWithoutAny() {
    bootEds();
    Script.Push held = bench.script.push(edsCluster("innocent"));
    bench.script.awaitSubscription(TypeUrls.CLUSTER_LOAD_ASSIGNMENT, "innocent");
    assertThat(held.isAnswered()).isFalse();

    bench.script.push(bad("eds")).nacked();

    held.acked();
    assertThat(bench.proxy.stat("cluster.innocent.update_rejected")).isEqualTo(1);
    bench.script.push(routes("routes", host("one.example", "innocent"))).acked();
    bench.proxy.awaitSeen("ingress", "one.example", Seen.UNAVAILABLE);
  }

  @Test
  void aChangedClusterLosesItsEndpointsWhenOthersAreBad() {
    bootEds();
    bench.script.push(edsCluster("eds", "2s"), edsCluster("other"));
    bench.script.awaitSubscription(TypeUrls.CLUSTER_LOAD_ASSIGNMENT, "other");
    assertThat(bench.proxy.get("ingress", "one.example")).isEqualTo(Seen.from("one"));

    bench.script.push(bad("other")).nacked();

    bench.proxy.awaitSeen("ingress", "one.example", Seen.UNAVAILABLE);
  }

  @Test
  void aChangedClusterAsksForItsEndpointsAgainInSotw() {
    assumeFalse(bench.delta);
    bootEds();
    long before = edsAsks();

    Script.Push held = bench.script.push(edsCluster("eds", "2s"));

    bench.script.awaitAsks(asks -> edsAsks() == before + 1);
    List<Ask> asks = bench.script.asks();
    Ask again = asks.get(asks.size() - 1);
    assertThat(again.names()).containsExactly("eds");
    assertThat(again.nonce()).isNotEmpty();
    assertThat(again.version()).isEqualTo(again.nonce());
    assertThat(held.isAnswered()).isFalse();
    bench.script.push(Resources.endpoints("eds", bench.one.port())).acked();
    held.acked();
  }

  @Test
  void aChangedClusterSilentlyWaitsForItsEndpointsInDelta() {
    assumeTrue(bench.delta);
    bootEds();
    long before = edsAsks();

    Script.Push held = bench.script.push(edsCluster("eds", "2s"));
    bench.proxy.await("warms", () -> bench.proxy.warmingClusters().contains("eds"));
    bench.script.push(routes("routes", host("one.example", "eds"))).acked();

    assertThat(edsAsks()).isEqualTo(before);
    assertThat(held.isAnswered()).isFalse();
    assertThat(bench.proxy.get("ingress", "one.example")).isEqualTo(Seen.from("one"));
    bench.script.push(Resources.endpoints("eds", bench.two.port())).acked();
    held.acked();
    bench.proxy.awaitSeen("ingress", "one.example", Seen.from("two"));
  }

  @Test
  void aClusterThatWaitsInVainUsesTheEndpointsItHadBefore() {
    bootEds();

    bench.script.push(impatientCluster("eds")).acked(); // after the timeout

    assertThat(bench.proxy.get("ingress", "one.example")).isEqualTo(Seen.from("one"));
    assertThat(bench.proxy.stat("cluster.eds.init_fetch_timeout")).isEqualTo(1);
  }

  @Test
  void endpointsThatAreSaidToBeGoneLetTheClusterWarmWithoutAny() {
    assumeTrue(bench.delta);
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
    assumeTrue(bench.delta);
    bootEds();

    bench.script.remove(TypeUrls.CLUSTER_LOAD_ASSIGNMENT, "eds").acked();

    assertThat(bench.proxy.get("ingress", "one.example")).isEqualTo(Seen.from("one"));
  }

  @Test
  void withoutAnyInterestInSotwAResponseGetsTheOldVersionBackAndNoError() {
    assumeFalse(bench.delta);
    bootEds();
    bench.script.push(routes("routes", host("one.example", "one"))).acked();
    bench.script.remove(TypeUrls.CLUSTER, "eds").acked();

    Ask answer = bench.script.push(Resources.endpoints("eds", bench.two.port())).verdict();

    assertThat(answer.isNack()).isFalse();
    assertThat(answer.version()).isNotEqualTo(answer.nonce());
  }

  private long edsAsks() {
    return bench.script.asks().stream()
        .filter(ask -> ask.type().equals(TypeUrls.CLUSTER_LOAD_ASSIGNMENT))
        .count();
  }
}
