// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import static dev.holdfast.controlplane.ads.TestResources.cluster;
import static dev.holdfast.controlplane.ads.TestResources.clusterOf;
import static dev.holdfast.controlplane.ads.TestResources.endpoints;
import static dev.holdfast.controlplane.ads.TestResources.listener;
import static dev.holdfast.controlplane.ads.TestResources.routes;
import static dev.holdfast.controlplane.snapshot.ResourceType.CLUSTER;
import static dev.holdfast.controlplane.snapshot.ResourceType.ENDPOINTS;
import static dev.holdfast.controlplane.snapshot.ResourceType.LISTENER;
import static dev.holdfast.controlplane.snapshot.ResourceType.ROUTES;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.FakeXdsStream;
import dev.holdfast.controlplane.ads.ReceivedResponse;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Make before break. */
class SendOrderTest {
  private final AdsHarness ads = new AdsHarness();

  private FakeXdsStream running(Protocol protocol) {
    ads.serve(cluster("a", "1"), endpoints("a", "1"), listener("l", "1"), routes("x", "1", "a"));
    return ads.envoy(protocol)
        .all(CLUSTER)
        .acceptAll()
        .subscribe(ENDPOINTS, "a")
        .acceptAll()
        .all(LISTENER)
        .acceptAll()
        .subscribe(ROUTES, "x")
        .acceptAll();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aRouteIsSentOnceItsClusterIsAccepted(Protocol protocol) {
    FakeXdsStream envoy = running(protocol);
    ads.serve(routes("x", "2", "a", "b"), cluster("b", "1"));

    ReceivedResponse clusters = envoy.next();
    assertThat(clusters.type()).isEqualTo(CLUSTER);
    assertThat(envoy.isQuiet()).isTrue();
    envoy.ack(clusters);
    assertThat(envoy.accept(ROUTES).bodies().get("x")).isEqualTo(routes("x", "2", "a", "b").body());
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aRejectedClusterDoesNotBlockRoutes(Protocol protocol) {
    FakeXdsStream envoy = running(protocol);
    ads.serve(routes("x", "2", "a", "b"), cluster("b", "bad"));
    envoy.nack(envoy.next(), "Error adding/updating cluster(s) b: no");

    assertThat(envoy.accept(CLUSTER).type()).isEqualTo(CLUSTER);
    assertThat(envoy.isQuiet()).as("it may get something else").isTrue();
    judge();
    assertThat(envoy.accept(ROUTES).bodies()).containsOnlyKeys("x");
  }

  private void judge() {
    ads.run(ads.server::judging);
    ads.run(ads.server::judged);
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void norDoesOneThatWasRejectedBeforeButNotAtOnce(Protocol protocol) {
    FakeXdsStream envoy = running(protocol);
    ads.serve(cluster("b", "bad"));
    envoy.nack(envoy.next(), "Error adding/updating cluster(s) b: no");
    envoy.accept(CLUSTER);
    judge();
    ads.stop(CLUSTER, "b");
    assertThat(envoy.isQuiet()).isTrue();
    ads.run(ads.server::judging);

    ads.serve(routes("x", "2", "a", "b"), cluster("b", "bad"));
    ads.run(ads.server::judged);
    assertThat(envoy.isQuiet()).as("nobody has looked at it yet").isTrue();
    judge();
    assertThat(envoy.accept(ROUTES).bodies()).containsOnlyKeys("x");
  }

  /** It would serve a host of the trial, and lose it with the next one. */
  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aProxyThatRejectsAClusterOfATrialIsNotSentItsRoutesAlthoughItGetsAnEarlierVersion(
      Protocol protocol) {
    FakeXdsStream envoy = running(protocol);
    Snapshot own = ads.snapshot;
    show(own, /* trial= */ false);
    ads.serve(cluster("b", "1"));
    ads.envoy(protocol, "envoy-2").all(CLUSTER).acceptAll();
    Snapshot trial = own.with(cluster("b", "bad")).with(routes("x", "2", "a", "b"));

    show(trial, /* trial= */ true);
    envoy.nack(envoy.next(), "Error adding/updating cluster(s) b: no");
    assertThat(envoy.accept(CLUSTER).bodies().get("b")).isEqualTo(cluster("b", "1").body());
    judge();
    assertThat(envoy.isQuiet()).as("it will be served another trial").isTrue();

    show(trial, /* trial= */ false);
    assertThat(envoy.accept(ROUTES).bodies().get("x")).isEqualTo(routes("x", "2", "a", "b").body());
  }

  private void show(Snapshot own, boolean trial) {
    ads.run(
        () -> ads.server.showProxy(requireNonNull(ads.server.proxy("envoy-1")), own, null, trial));
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aClusterIsRemovedOnceNoRunningRouteUsesIt(Protocol protocol) {
    FakeXdsStream envoy = running(protocol);
    ads.snapshot = ads.snapshot.with(cluster("b", "1")).with(routes("x", "2", "b"));
    ads.stop(CLUSTER, "a");

    ReceivedResponse adds = envoy.accept(CLUSTER);
    assertThat(adds.bodies()).containsKey("b");
    assertThat(envoy.running(CLUSTER).contains("a")).as("still in use").isTrue();
    ReceivedResponse routes = envoy.next();
    assertThat(routes.type()).isEqualTo(ROUTES);
    assertThat(envoy.isQuiet()).as("no removal before the answer").isTrue();
    envoy.ack(routes);
    ReceivedResponse removal = envoy.accept(CLUSTER);
    if (protocol == Protocol.DELTA) {
      assertThat(removal.removed()).containsExactly("a");
    } else {
      assertThat(removal.bodies()).containsOnlyKeys("b");
    }
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aClusterStaysWhileRejectedRoutesKeepTheOldOnesRunning(Protocol protocol) {
    FakeXdsStream envoy = running(protocol);
    ads.snapshot = ads.snapshot.with(cluster("b", "1")).with(routes("x", "bad", "b"));
    ads.stop(CLUSTER, "a");
    envoy.accept(CLUSTER);
    envoy.nack(envoy.next(), "no");

    assertThat(envoy.isQuiet()).isTrue();
    assertThat(envoy.running(CLUSTER).contains("a")).isTrue();
    ads.serve(cluster("c", "1"));
    envoy.acceptAll();
    assertThat(envoy.running(CLUSTER).contains("a")).isTrue();
    ads.serve(routes("x", "good", "b"));
    envoy.acceptAll();
    assertThat(envoy.running(CLUSTER).contains("a")).isFalse();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void endpointsAreSentAgainAfterAChangeOfTheirCluster(Protocol protocol) {
    FakeXdsStream envoy = running(protocol);
    ads.serve(cluster("a", "2"));

    ReceivedResponse clusters = envoy.next();
    if (protocol == Protocol.SOTW) {
      // Asks again with nothing new in it, while the answer on the cluster is held back.
      String version = "";
      envoy.request(ENDPOINTS, "old", null, Map.of(), version);
    }
    assertThat(envoy.accept(ENDPOINTS).bodies()).containsOnlyKeys("a");
    envoy.ack(clusters);
    assertThat(envoy.isQuiet()).isTrue();
  }

  /** In Delta Envoy does not request them: it is subscribed to them for the other cluster. */
  @ParameterizedTest
  @EnumSource(Protocol.class)
  void endpointsAreSentAgainForAnotherClusterThatSharesThem(Protocol protocol) {
    FakeXdsStream envoy = running(protocol);
    ads.serve(cluster("b", "1", "a"));

    ReceivedResponse clusters = envoy.next();
    if (protocol == Protocol.SOTW) {
      envoy.request(ENDPOINTS, "old", null, Map.of(), "");
    }
    assertThat(envoy.accept(ENDPOINTS).bodies()).containsOnlyKeys("a");
    envoy.ack(clusters);
    assertThat(envoy.isQuiet()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void endpointsAreSentAgainForASecondClusterThatSharesThem(Protocol protocol) {
    FakeXdsStream envoy = running(protocol);
    ads.serve(clusterOf("a/checked", "a"));

    ReceivedResponse clusters = envoy.next();
    if (protocol == Protocol.SOTW) {
      envoy.request(ENDPOINTS, "old", null, Map.of(), "");
    }
    assertThat(envoy.accept(ENDPOINTS).bodies()).containsOnlyKeys("a");
    envoy.ack(clusters);
    assertThat(envoy.isQuiet()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aSlowProxyGetsTheNewestVersionOnly(Protocol protocol) {
    FakeXdsStream envoy = running(protocol);
    envoy.ready = false;
    for (int i = 2; i < 50; i++) {
      ads.serve(listener("l", "" + i));
    }
    assertThat(envoy.isQuiet()).isTrue();

    envoy.becomeReady();

    assertThat(envoy.accept(LISTENER).bodies().get("l")).isEqualTo(listener("l", "49").body());
    assertThat(envoy.isQuiet()).isTrue();
  }
}
