// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.reconnect;

import static dev.holdfast.controlplane.snapshot.ResourceType.CLUSTER;
import static dev.holdfast.controlplane.snapshot.ResourceType.ENDPOINTS;
import static dev.holdfast.controlplane.snapshot.ResourceType.EXTENSION;
import static dev.holdfast.controlplane.snapshot.ResourceType.LISTENER;
import static dev.holdfast.controlplane.snapshot.ResourceType.ROUTES;
import static dev.holdfast.controlplane.snapshot.ResourceType.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.FakeXdsStream;
import dev.holdfast.controlplane.ads.ReceivedResponse;
import dev.holdfast.controlplane.ads.TestResources;
import dev.holdfast.controlplane.ads.fleet.ConnectedFleet;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A reconnecting proxy names the versions that it holds, and may hold more or less than that. */
class ReconnectTest {
  private final AdsHarness ads = new AdsHarness();

  private String runsSecret(FakeXdsStream envoy) {
    envoy.subscribe(SECRET, "s");
    return envoy.accept(SECRET).version();
  }

  @Test
  void heldResourcesAreNotSentAgain() {
    ads.serve(TestResources.secret("s", "1"));
    FakeXdsStream before = ads.envoy(Protocol.SOTW);
    String version = runsSecret(before);
    before.close();

    FakeXdsStream envoy = ads.envoy(Protocol.SOTW).resume(SECRET, version, Map.of(), "s");
    assertThat(envoy.isQuiet()).isTrue();
  }

  @Test
  void aSotwProxyIsSentANameThatItDroppedAlthoughItNamesTheVersion() {
    ads.serve(TestResources.routes("r", "1"));
    FakeXdsStream before = ads.envoy(Protocol.SOTW).subscribe(ROUTES, "r");
    String version = before.accept(ROUTES).version();
    before.subscribe(ROUTES);
    before.close();

    FakeXdsStream envoy = ads.envoy(Protocol.SOTW).resume(ROUTES, version, Map.of(), "r");
    assertThat(envoy.accept(ROUTES).bodies()).containsOnlyKeys("r");
  }

  @Test
  void aMissingNameIsReportedToAClientWithAnUnknownVersion() {
    ads.serve(TestResources.byName(TestResources.routes("here", "1")));

    FakeXdsStream client =
        ads.grpc(Protocol.SOTW).resume(ROUTES, "unheard-of", Map.of(), "here", "gone");

    assertThat(client.accept(ROUTES).errors()).containsOnlyKeys("gone");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aMissingNameIsReportedAgainOnEveryStream(Protocol protocol) {
    Resource listener = TestResources.byName(TestResources.listener("here", "1"));
    ads.serve(listener);
    FakeXdsStream before = ads.grpc(protocol).subscribe(LISTENER, "here", "gone");
    ReceivedResponse reply = before.accept(LISTENER);
    assertThat(reply.errors()).containsOnlyKeys("gone");
    before.close();

    FakeXdsStream client =
        ads.grpc(protocol)
            .resume(LISTENER, reply.version(), Map.of("here", listener.version()), "here", "gone");
    assertThat(client.accept(LISTENER).errors())
        .as("it cannot tell silence from slowness")
        .containsOnlyKeys("gone");
    assertThat(client.isQuiet()).isTrue();
  }

  @Test
  void aRestartedServerSendsSecretsAgain() {
    ads.serve(TestResources.secret("s", "1"));
    String version = runsSecret(ads.envoy(Protocol.SOTW));

    AdsHarness other = new AdsHarness().serve(TestResources.secret("s", "1"));
    FakeXdsStream envoy = other.envoy(Protocol.SOTW).resume(SECRET, version, Map.of(), "s");
    assertThat(envoy.accept(SECRET).bodies()).containsOnlyKeys("s");
  }

  @Test
  void aRestartedServerRemovesNothingWhileAProxyReconnects() {
    Resource extension = TestResources.extension("x", "1");
    ads.serve(extension);
    FakeXdsStream before = ads.envoy(Protocol.SOTW).subscribe(EXTENSION, "x");
    before.acceptAll();
    String version = before.acceptedVersion(EXTENSION);

    AdsHarness other = new AdsHarness().serve(extension);
    FakeXdsStream envoy = other.envoy(Protocol.SOTW).resume(EXTENSION, version, Map.of(), "x");
    assertThat(envoy.accept(EXTENSION).bodies())
        .as("no stand-in for what it runs")
        .containsEntry("x", extension.body());
    assertThat(envoy.isQuiet()).isTrue();
  }

  @Test
  void aSotwApplicationIsSentAgainWhatItMayHaveDropped() {
    ads.serve(TestResources.endpoints("e", "1"));
    FakeXdsStream before = ads.grpc(Protocol.SOTW).subscribe(ENDPOINTS, "e");
    String version = before.accept(ENDPOINTS).version();
    before.close();

    FakeXdsStream client = ads.grpc(Protocol.SOTW).resume(ENDPOINTS, version, Map.of(), "e");
    assertThat(client.accept(ENDPOINTS).bodies()).containsOnlyKeys("e");
    assertThat(client.isQuiet()).isTrue();
  }

  @Test
  void aRestartedServerSendsEndpointsToAClientAgain() {
    ads.serve(TestResources.endpoints("e", "1"));
    FakeXdsStream before = ads.grpc(Protocol.SOTW).subscribe(ENDPOINTS, "e");
    String version = before.accept(ENDPOINTS).version();
    before.subscribe(ENDPOINTS);

    AdsHarness other = new AdsHarness().serve(TestResources.endpoints("e", "1"));
    FakeXdsStream client = other.grpc(Protocol.SOTW).resume(ENDPOINTS, version, Map.of(), "e");
    assertThat(client.accept(ENDPOINTS).bodies())
        .as("it let go of them when nothing referred to them")
        .containsOnlyKeys("e");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void endpointsRequestedBeforeClustersAreSentAgain(Protocol protocol) {
    Resource endpoints = TestResources.endpoints("e", "1");
    ads.serve(TestResources.clusterOf("a", "1", "e"), endpoints);
    FakeXdsStream before = ads.envoy(protocol).all(CLUSTER);
    before.accept(CLUSTER);
    before.subscribe(ENDPOINTS, "e");
    String version = before.accept(ENDPOINTS).version();
    before.close();

    FakeXdsStream envoy =
        ads.envoy(protocol).resume(ENDPOINTS, version, Map.of("e", endpoints.version()), "e");
    assertThat(envoy.accept(ENDPOINTS).bodies())
        .as("a cluster waits for them, and it asks for none before")
        .containsOnlyKeys("e");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aWithdrawnVersionThatWasInFlightIsReplaced(Protocol protocol) {
    Resource first = TestResources.cluster("a", "1");
    ads.serve(first);
    FakeXdsStream before = ads.envoy(protocol).all(CLUSTER);
    String version = before.accept(CLUSTER).version();
    ads.serve(TestResources.cluster("a", "2"));
    before.next();
    before.close(); // with an answer that nobody heard
    ads.serve(first);

    FakeXdsStream envoy =
        ads.envoy(protocol)
            .resume(CLUSTER, version, Map.of("a", first.version()))
            .subscribe(LISTENER)
            .subscribe(ROUTES, "r")
            .subscribe(ENDPOINTS, "a");
    assertThat(envoy.accept(CLUSTER).bodies()).containsOnlyKeys("a");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aDeletedResourceThatWasInFlightIsRemoved(Protocol protocol) {
    Resource first = TestResources.cluster("a", "1");
    ads.serve(first);
    FakeXdsStream before = ads.envoy(protocol).all(CLUSTER);
    String version = before.accept(CLUSTER).version();
    ads.serve(TestResources.cluster("b", "1"));
    before.next();
    before.close();
    ads.stop(CLUSTER, "b");

    FakeXdsStream envoy =
        ads.envoy(protocol)
            .resume(CLUSTER, version, Map.of("a", first.version()))
            .subscribe(LISTENER)
            .subscribe(ROUTES, "r");
    ReceivedResponse reply = envoy.next();
    while (reply.type() != CLUSTER) {
      reply = envoy.next();
    }
    assertThat(reply.bodies()).doesNotContainKey("b");
    if (protocol == Protocol.DELTA) {
      assertThat(reply.removed()).containsExactly("b");
    }
  }

  @Test
  void versionsOfAnEarlierProcessAreRecognised() {
    ads.serve(TestResources.cluster("a", "1"), TestResources.routes("r", "1", "a"));
    FakeXdsStream before = ads.envoy(Protocol.SOTW).all(CLUSTER);
    String version = before.accept(CLUSTER).version();
    Snapshot accepted = ads.snapshot;

    AdsHarness other = new AdsHarness();
    other.snapshot = accepted;
    other.serve(TestResources.cluster("b", "1"));
    other.run(
        () -> other.server.restoreServed(accepted, accepted.with(TestResources.cluster("c", "1"))));
    other.stop(CLUSTER, "a");

    FakeXdsStream envoy = other.envoy(Protocol.SOTW).resume(CLUSTER, version, Map.of());
    assertThat(envoy.running(CLUSTER).contains("a")).isTrue();
    assertThat(envoy.next().bodies()).as("its routes may need it").containsKeys("a", "b");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aProxyWithoutRoutesHasNothingToLose(Protocol protocol) {
    Resource listener = TestResources.listener("l", "1");
    Resource routes = TestResources.routes("r", "1");
    ads.serve(listener, routes);
    FakeXdsStream before = ads.envoy(protocol).all(LISTENER);
    String version = before.accept(LISTENER).version();
    before.subscribe(ROUTES, "r");
    String routesVersion = before.accept(ROUTES).version();
    before.close();
    ConnectedFleet stage = new ConnectedFleet(ads.server, () -> {});

    FakeXdsStream envoy =
        ads.envoy(protocol)
            .resume(LISTENER, version, Map.of("l", listener.version()))
            .subscribe(ROUTES, "r");
    assertThat(stage.hasSomethingToLose("envoy-1")).isFalse();
    envoy.close();

    ads.envoy(protocol)
        .resume(LISTENER, version, Map.of("l", listener.version()))
        .resume(ROUTES, routesVersion, Map.of("r", routes.version()), "r");
    assertThat(stage.hasSomethingToLose("envoy-1")).isTrue();
  }

  /**
   * Envoy runs the good clusters of a response that it rejected, and does not remember their
   * versions.
   */
  @Test
  void aRejectedClusterIsNotRemovedIfTheRoutesOfAReconnectedProxyUseIt() {
    Resource other = TestResources.cluster("b", "1");
    Resource routes = TestResources.routes("r", "1", "a");
    Resource listener = TestResources.listener("l", "1");
    ads.serve(TestResources.cluster("a", "2"), other, routes, listener);

    FakeXdsStream envoy =
        ads.envoy(Protocol.DELTA)
            .resume(CLUSTER, "", Map.of("b", other.version()))
            .resume(LISTENER, "", Map.of("l", listener.version()))
            .resume(ROUTES, "", Map.of("r", routes.version()), "r");
    ads.advance(Duration.ofMinutes(1));
    ReceivedResponse reply = envoy.next();
    assertThat(reply.bodies()).containsOnlyKeys("a");
    envoy.nack(reply, "Error adding/updating cluster(s) a: no good");
    assertThat(envoy.isQuiet()).as("it runs an older version of it").isTrue();

    ads.serve(TestResources.cluster("a", "3"));
    assertThat(envoy.accept(CLUSTER).bodies()).containsOnlyKeys("a");
  }
}
