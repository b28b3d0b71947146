// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.DeltaResponse;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.SotwResponse;
import dev.holdfast.testkit.TypeUrls;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What cannot be had from a real Envoy: time, moods and memory. The rest is tested beside it. */
class FakeEnvoyTest {
  private static final RouteConfiguration BAD =
      EnvoyResources.routes(
          "routes", EnvoyResources.host("a.example", "one"), EnvoyResources.host("a.example", "x"));

  private FakeEnvoyFixture rig = new FakeEnvoyFixture(EnvoyOptions.sotw("node"));

  @AfterEach
  void close() {
    rig.close();
  }

  private void use(EnvoyOptions options) {
    rig.close();
    rig = new FakeEnvoyFixture(options);
  }

  @Test
  void introducesItselfLikeAnEnvoy() {
    use(
        EnvoyOptions.delta("other")
            .withVersion("1.37.2")
            .withGroup("b")
            .withExtensions(Set.of("type.one")));

    var node = rig.introduction();
    assertThat(node.getId()).isEqualTo("other");
    assertThat(node.getUserAgentName()).isEqualTo("envoy");
    assertThat(node.getUserAgentBuildVersion().getVersion().getMinorNumber()).isEqualTo(37);
    assertThat(node.getExtensionsList())
        .singleElement()
        .extracting(e -> e.getTypeUrls(0))
        .isEqualTo("type.one");
    assertThat(node.getMetadata().getFieldsOrThrow("holdfast_group").getStringValue())
        .isEqualTo("b");
  }

  @Test
  void goesOnWithoutWhatDoesNotComeInTime() {
    rig.advance(Duration.ofSeconds(14));
    assertThat(rig.said()).containsExactly("Cluster?");

    rig.advance(Duration.ofSeconds(1));
    assertThat(rig.said()).containsExactly("Cluster?", "Listener?");
    assertThat(rig.envoy.isReady()).isFalse();

    rig.advance(Duration.ofSeconds(15));
    assertThat(rig.envoy.isReady()).isTrue();
  }

  @Test
  void waitsForRoutesAsLongAsTheListenerSays() {
    rig.push(EnvoyResources.staticCluster("one", 1001));
    rig.push(EnvoyResources.listener("ingress", "routes"));

    rig.advance(Duration.ofMillis(1999));
    assertThat(rig.envoy.isReady()).isFalse();

    rig.advance(Duration.ofMillis(1));
    assertThat(rig.envoy.isReady()).isTrue();
    assertThat(rig.envoy.route("a.example", "/").flag()).isEqualTo("NR");
  }

  @Test
  void remembersEverythingItWasSent() {
    rig.boot();
    rig.push(BAD);
    rig.push(BAD);

    assertThat(rig.envoy.received(TypeUrls.ROUTE_CONFIGURATION))
        .extracting(ReceivedResponse::outcome)
        .containsExactly(
            ReceivedResponse.Outcome.TAKEN,
            ReceivedResponse.Outcome.REJECTED,
            ReceivedResponse.Outcome.REJECTED);
    assertThat(
            rig.envoy.timesReceived(
                new ReceivedResponse.Entry("routes", FakeEnvoyFixture.digest(BAD))))
        .isEqualTo(2);
    assertThat(rig.envoy.received().get(3).reason()).startsWith("Only unique values");
  }

  @Test
  void aSilentOneUsesWhatItGetsButDoesNotSaySo() {
    rig.boot();
    int before = rig.requests.size();
    rig.envoy.conduct(AnswerMode.SILENT);
    rig.settle();

    rig.push(EnvoyResources.routes("routes", EnvoyResources.host("b.example", "one")));

    assertThat(rig.requests).hasSize(before);
    assertThat(rig.envoy.route("b.example", "/").isServed()).isTrue();
  }

  @Test
  void aSlowOneTakesItsTimeOverEachResponse() {
    rig.envoy.conduct(AnswerMode.slow(Duration.ofSeconds(3)));
    rig.settle();

    rig.push(EnvoyResources.staticCluster("one", 1001));
    assertThat(rig.said()).containsExactly("Cluster?");

    rig.advance(Duration.ofSeconds(3));
    assertThat(rig.said()).containsExactly("Cluster?", "Listener?", "Cluster");
  }

  @Test
  void aHangingOneReadsNothingUntilItGoesOn() {
    rig.envoy.conduct(AnswerMode.HANGING);
    rig.settle();
    rig.push(EnvoyResources.staticCluster("one", 1001));
    assertThat(rig.envoy.received()).isEmpty();

    rig.envoy.conduct(AnswerMode.PROMPT);
    rig.settle();
    assertThat(rig.said()).containsExactly("Cluster?", "Listener?", "Cluster");
  }

  @Test
  void anEndlessScriptHangsIt() {
    rig.boot();
    int before = rig.requests.size();

    rig.push(
        EnvoyResources.withLua(
            EnvoyResources.routes("routes", EnvoyResources.host("a.example", "one")),
            "while true do end"));
    rig.push(EnvoyResources.staticCluster("two", 1002));

    assertThat(rig.requests).hasSize(before);
    assertThat(rig.envoy.route("a.example", "/").isServed()).isTrue();
  }

  @Test
  void opensAnotherStreamAfterAWhileAndKeepsServing() {
    rig.boot();

    rig.breakStream();
    assertThat(rig.streams).isEqualTo(1);
    assertThat(rig.envoy.route("a.example", "/").isServed()).isTrue();

    rig.advance(Duration.ofMillis(500));
    assertThat(rig.streams).isEqualTo(2);
    assertThat(rig.said()).endsWith("Cluster?", "Listener?", "RouteConfiguration?");
  }

  @Test
  void startsOverWithNothing() {
    rig.boot();

    rig.envoy.restart();
    rig.settle();

    assertThat(rig.envoy.isReady()).isFalse();
    assertThat(rig.envoy.activeClusters()).isEmpty();
    assertThat(rig.said()).endsWith("Cluster?");
    rig.boot();
    assertThat(rig.envoy.route("a.example", "/").isServed()).isTrue();
  }

  @Test
  void proxiesOfDifferentKindsDisagree() {
    use(
        EnvoyOptions.sotw("old")
            .withValidator(
                Validators.rejecting(RouteConfiguration.class, "routes", "not with me")));
    rig.boot();

    assertThat(rig.said()).endsWith("RouteConfiguration!");
    assertThat(rig.envoy.route("a.example", "/").flag()).isEqualTo("NR");
  }

  @Test
  void aCorrectedClusterFreesTheAnswersThatAZombieHeldBack() {
    use(EnvoyOptions.delta("node"));
    rig.deliver(delta("n1", EnvoyResources.staticCluster("one", 1001)));
    rig.deliver(
        delta(
            "n2",
            Resources.cluster(
                """
                {"name": "m", "type": "STATIC", "lb_policy": "MAGLEV",
                 "maglev_lb_config": {"table_size": 4}}
                """)));
    assertThat(rig.said()).endsWith("Cluster!");
    rig.deliver(delta("n3", EnvoyResources.staticCluster("two", 1002)));
    assertThat(rig.said()).endsWith("Cluster!");

    rig.deliver(delta("n4", EnvoyResources.staticCluster("m", 1003)));
    assertThat(rig.said()).endsWith("Cluster!", "Cluster", "Cluster");
  }

  @Test
  void aResponseOfATypeThatWasNotAskedForIsDropped() {
    rig.deliver(SotwResponse.of(TypeUrls.SECRET, "1", "n1").build());

    assertThat(rig.said()).containsExactly("Cluster?");
    assertThat(rig.envoy.received())
        .extracting(ReceivedResponse::outcome)
        .containsExactly(ReceivedResponse.Outcome.DROPPED);
  }

  private static com.google.protobuf.Message delta(
      String nonce, io.envoyproxy.envoy.config.cluster.v3.Cluster cluster) {
    return DeltaResponse.of(TypeUrls.CLUSTER, nonce, nonce)
        .with(cluster.getName(), nonce, cluster)
        .build();
  }
}
