// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import static dev.holdfast.testkit.envoy.EnvoyResources.edsCluster;
import static dev.holdfast.testkit.envoy.EnvoyResources.host;
import static dev.holdfast.testkit.envoy.EnvoyResources.listener;
import static dev.holdfast.testkit.envoy.EnvoyResources.routes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Proxy.Seen;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.TypeUrls;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What an Envoy does only when it is told the state of the world; true of the real one and of the
 * fake.
 */
@ParameterizedClass
@EnumSource(
    value = Bench.Kind.class,
    names = {"FAKE_SOTW", "REAL_SOTW"})
class SotwScenariosTest {
  private final Bench bench;

  SotwScenariosTest(Bench.Kind kind) {
    bench = Bench.start(kind);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void aChangedClusterAsksForItsEndpointsAgain() {
    bench.bootEds();
    long before = bench.asks(TypeUrls.CLUSTER_LOAD_ASSIGNMENT);

    Script.Push held = bench.script.push(edsCluster("eds", "2s"));

    bench.script.awaitAsks(asks -> bench.asks(TypeUrls.CLUSTER_LOAD_ASSIGNMENT) == before + 1);
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
  void withoutAnyInterestAResponseGetsTheOldVersionBackAndNoError() {
    bench.bootEds();
    bench.script.push(routes("routes", host("one.example", "one"))).acked();
    bench.script.remove(TypeUrls.CLUSTER, "eds").acked();

    Ask answer = bench.script.push(Resources.endpoints("eds", bench.two.port())).verdict();

    assertThat(answer.isNack()).isFalse();
    assertThat(answer.version()).isNotEqualTo(answer.nonce());
  }

  @Test
  void routesTwiceAreAcceptedAndTheFirstWins() {
    bench.boot();

    bench
        .script
        .pushTwice(
            routes("routes", host("one.example", "two")),
            routes("routes", host("one.example", "one")))
        .acked();

    bench.proxy.awaitSeen("ingress", "one.example", Seen.from("two"));
  }

  @Test
  void routesOfOneResponseAreTakenFromTheNewestListenerOnUpToTheFirstThatIsBad() {
    bench.bootClusters();
    bench.script.push(listener("older", "ro"), listener("newer", "rn")).acked();
    bench.script.awaitSubscription(TypeUrls.ROUTE_CONFIGURATION, "ro", "rn");
    bench.script.push(routes("ro", host("o", "one")), routes("rn", host("n", "one"))).acked();
    bench.proxy.awaitReady();

    bench
        .script
        .push(routes("ro", host("o", "two")), routes("rn", host("n", "two"), host("n", "two")))
        .nacked();
    assertThat(bench.proxy.get("older", "o")).isEqualTo(Seen.from("one"));

    bench
        .script
        .push(routes("ro", host("o", "two"), host("o", "two")), routes("rn", host("n", "two")))
        .nacked();
    bench.proxy.awaitSeen("newer", "n", Seen.from("two"));
    assertThat(bench.proxy.get("older", "o")).isEqualTo(Seen.from("one"));
  }
}
