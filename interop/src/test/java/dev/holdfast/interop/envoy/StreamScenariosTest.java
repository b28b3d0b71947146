// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import static dev.holdfast.testkit.envoy.EnvoyResources.edsCluster;
import static dev.holdfast.testkit.envoy.EnvoyResources.endpoint;
import static dev.holdfast.testkit.envoy.EnvoyResources.host;
import static dev.holdfast.testkit.envoy.EnvoyResources.listener;
import static dev.holdfast.testkit.envoy.EnvoyResources.routes;
import static dev.holdfast.testkit.envoy.EnvoyResources.staticCluster;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import dev.holdfast.interop.envoy.Proxy.Seen;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.TypeUrls;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What an Envoy says on its stream, and when; true of the real one and of the fake. */
@ParameterizedClass
@EnumSource(Bench.Kind.class)
class StreamScenariosTest {
  private final Bench bench;

  StreamScenariosTest(Bench.Kind kind) {
    bench = Bench.start(kind);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static final Cluster BAD =
      Resources.cluster(
          """
          {"name": "bad", "type": "STATIC", "connect_timeout": "1s",
           "load_assignment": {"cluster_name": "bad", "endpoints": [{"lb_endpoints": [%s]}]}}
          """
              .formatted(endpoint("no-ip", 80)));

  private List<String> told() {
    return bench.script.asks().stream()
        .map(ask -> ask.shortType() + (ask.nonce().isEmpty() ? "?" : ask.isNack() ? "!" : ""))
        .toList();
  }

  @Test
  void whatAResponseLeadsToIsAskedForBeforeTheResponseIsAnswered() {
    bench.script.push(edsCluster("eds")).acked();
    bench.script.push(Resources.endpoints("eds", bench.one.port())).acked();
    bench.script.push(listener("ingress", "routes")).acked();
    bench.script.push(routes("routes", host("one.example", "eds"))).acked();

    assertThat(told())
        .containsExactly(
            "Cluster?",
            "ClusterLoadAssignment?",
            "Cluster",
            "Listener?",
            "ClusterLoadAssignment",
            "RouteConfiguration?",
            "Listener",
            "RouteConfiguration");
    bench.proxy.awaitSeen("ingress", "one.example", Seen.from("one"));
  }

  @Test
  void itSaysOnceWhoItIs() {
    bench.boot();

    assertThat(bench.script.asks())
        .extracting(Ask::node)
        .startsWith("hf-node-1")
        .filteredOn(node -> !node.isEmpty())
        .hasSize(1);
  }

  @Test
  void firstClustersThatAreRejectedDoNotKeepItFromGoingOn() {
    bench.script.push(BAD).nacked();

    assertThat(told()).containsExactly("Cluster?", "Listener?", "Cluster!");
  }

  @Test
  void aRejectionCarriesTheLastVersionThatWasTaken() {
    bench.boot();

    Ask answer = bench.script.push(BAD).verdict();

    assertThat(answer.isNack()).isTrue();
    assertThat(answer.error()).isNotNull();
    assertThat(answer.error().getCode()).isEqualTo(13);
    assertThat(answer.error().getDetailsList()).isEmpty();
    assertThat(answer.version()).isEqualTo(bench.delta ? "" : "n1");
  }

  @Test
  void answersThatWereHeldBackAreMergedInSotwWithTheErrorOfTheFormer() {
    bench.boot();
    Script.Push warms = bench.script.push(edsCluster("eds"));
    bench.script.awaitSubscription(TypeUrls.CLUSTER_LOAD_ASSIGNMENT, "eds");
    Script.Push bad = bench.script.push(BAD);
    Script.Push good =
        bench.script.push(TypeUrls.CLUSTER, List.of(staticCluster("good", 1)), List.of("bad"));
    bench.script.push(Resources.endpoints("eds", bench.one.port())).acked();

    if (bench.delta) {
      warms.acked();
      bad.nacked();
      good.acked();
    } else {
      Ask answer = good.verdict();
      assertThat(answer.reason()).contains("bad: malformed IP address");
      assertThat(answer.version()).isEqualTo(good.nonce());
      assertThat(warms.isAnswered()).isFalse();
      assertThat(bad.isAnswered()).isFalse();
    }
    assertThat(bench.proxy.activeClusters()).contains("good", "eds").doesNotContain("bad");
  }

  @Test
  void longErrorsAreCutAndTheReasonMayBeLost() {
    bench.boot();
    RouteConfiguration.Builder bad = routes("routes", host("a", "one")).toBuilder();
    bad.getVirtualHostsBuilder(0).setName("x".repeat(6000)).addRoutes(Route.getDefaultInstance());

    String error = bench.script.push(bad.build()).nacked();

    assertThat(error).hasSize(4096 + "...(truncated)".length()).endsWith("...(truncated)");
  }

  @Test
  void aTypeThatDoesNotBelongCostsTheWholeResponse() {
    bench.boot();

    String error =
        bench
            .script
            .pushRaw(
                TypeUrls.CLUSTER,
                Map.of(
                    "x", Any.pack(listener("x", "routes")), "y", Any.pack(staticCluster("y", 1))))
            .nacked();

    assertThat(error).contains("does not match the message-wide type URL");
    assertThat(bench.proxy.activeClusters()).containsExactlyInAnyOrder("one", "two");
  }

  @Test
  void aNameTwiceIsAnError() {
    bench.boot();

    String error =
        bench.script.pushTwice(staticCluster("twin", 1), staticCluster("twin", 2)).nacked();

    if (bench.delta) {
      assertThat(error).contains("duplicate name twin found among added/updated resources");
      assertThat(bench.proxy.activeClusters()).doesNotContain("twin");
    } else {
      assertThat(error).contains("twin: duplicate cluster twin found");
      assertThat(bench.proxy.activeClusters()).contains("twin");
    }
  }

  @Test
  void whatNobodyAskedForIsNotEvenReadInDelta() {
    bench.boot();
    RouteConfiguration.Builder bad = routes("unwanted", host("a", "one")).toBuilder();
    bad.getVirtualHostsBuilder(0)
        .getRoutesBuilder(0)
        .getRouteBuilder()
        .setTimeout(Duration.newBuilder().setSeconds(-1));

    assertThat(bench.script.push(bad.build()).verdict().isNack()).isEqualTo(!bench.delta);
  }

  @Test
  void onANewStreamItSaysWhatItHas() {
    bench.boot();

    bench.reconnect();

    List<Ask> asks = bench.script.awaitAsks(all -> all.size() == 3);
    assertThat(asks)
        .extracting(Ask::shortType)
        .containsExactly("Cluster", "Listener", "RouteConfiguration");
    assertThat(asks).allSatisfy(ask -> assertThat(ask.nonce()).isEmpty());
    assertThat(asks.get(0).node()).isEqualTo("hf-node-1");
    assertThat(asks.get(2).names()).containsExactly("routes");
    if (bench.delta) {
      assertThat(asks.get(0).names()).isEmpty();
      assertThat(asks.get(0).versions()).isEqualTo(Map.of("one", "n1", "two", "n1"));
      assertThat(asks.get(2).versions()).isEqualTo(Map.of("routes", "n3"));
    } else {
      assertThat(asks).extracting(Ask::version).containsExactly("n1", "n2", "n3");
    }
    assertThat(bench.proxy.get("ingress", "one.example")).isEqualTo(Seen.from("one"));
  }

  @Test
  void onANewStreamClustersAreNotAskedForWhileOneWarms() {
    bench.boot();
    bench.script.push(edsCluster("eds"));
    bench.script.awaitSubscription(TypeUrls.CLUSTER_LOAD_ASSIGNMENT, "eds");

    bench.reconnect();
    bench.script.awaitAsks(all -> all.size() == 3);
    assertThat(told())
        .containsExactly("Listener?", "RouteConfiguration?", "ClusterLoadAssignment?");

    bench.script.push(Resources.endpoints("eds", bench.one.port())).acked();
    bench.script.awaitSubscription(TypeUrls.CLUSTER);
  }
}
