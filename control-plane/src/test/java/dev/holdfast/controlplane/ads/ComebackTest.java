// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import static dev.holdfast.controlplane.snapshot.ResourceType.CLUSTER;
import static dev.holdfast.controlplane.snapshot.ResourceType.ENDPOINTS;
import static dev.holdfast.controlplane.snapshot.ResourceType.EXTENSION;
import static dev.holdfast.controlplane.snapshot.ResourceType.LISTENER;
import static dev.holdfast.controlplane.snapshot.ResourceType.ROUTES;
import static dev.holdfast.controlplane.snapshot.ResourceType.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A proxy that lost its stream names what it has by versions, and may have more or less. */
class ComebackTest {
  private final Ads ads = new Ads();

  private String runsSecret(Stream envoy) {
    envoy.subscribe(SECRET, "s");
    return envoy.accept(SECRET).version();
  }

  @Test
  void whatItStillHasIsNotSentAgain() {
    ads.serve(Served.secret("s", "1"));
    Stream before = ads.envoy(Protocol.SOTW);
    String version = runsSecret(before);
    before.close();

    Stream envoy = ads.envoy(Protocol.SOTW).resume(SECRET, version, Map.of(), "s");
    assertThat(envoy.isQuiet()).isTrue();
  }

  @Test
  void inSotwWhatItHasLetGoOfIsSentAlthoughItsVersionWasOfThat() {
    ads.serve(Served.routes("r", "1"));
    Stream before = ads.envoy(Protocol.SOTW).subscribe(ROUTES, "r");
    String version = before.accept(ROUTES).version();
    before.subscribe(ROUTES);
    before.close();

    Stream envoy = ads.envoy(Protocol.SOTW).resume(ROUTES, version, Map.of(), "r");
    assertThat(envoy.accept(ROUTES).bodies()).containsOnlyKeys("r");
  }

  @Test
  void whatIsMissingIsToldToOneThatComesWithAVersionNobodyKnows() {
    ads.serve(Served.byName(Served.routes("here", "1")));

    Stream client = ads.grpc(Protocol.SOTW).resume(ROUTES, "unheard-of", Map.of(), "here", "gone");

    assertThat(client.accept(ROUTES).errors()).containsOnlyKeys("gone");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void whatIsMissingIsToldAgainToOneThatHasAllTheRest(Protocol protocol) {
    Resource listener = Served.byName(Served.listener("here", "1"));
    ads.serve(listener);
    Stream before = ads.grpc(protocol).subscribe(LISTENER, "here", "gone");
    Reply reply = before.accept(LISTENER);
    assertThat(reply.errors()).containsOnlyKeys("gone");
    before.close();

    Stream client =
        ads.grpc(protocol)
            .resume(LISTENER, reply.version(), Map.of("here", listener.version()), "here", "gone");
    assertThat(client.accept(LISTENER).errors())
        .as("it cannot tell silence from slowness")
        .containsOnlyKeys("gone");
    assertThat(client.isQuiet()).isTrue();
  }

  @Test
  void aServerThatDoesNotKnowItSendsSecretsAgain() {
    ads.serve(Served.secret("s", "1"));
    String version = runsSecret(ads.envoy(Protocol.SOTW));

    Ads other = new Ads().serve(Served.secret("s", "1"));
    Stream envoy = other.envoy(Protocol.SOTW).resume(SECRET, version, Map.of(), "s");
    assertThat(envoy.accept(SECRET).bodies()).containsOnlyKeys("s");
  }

  @Test
  void aServerThatDoesNotKnowItDoesNotTakeAnythingFromItMeanwhile() {
    Resource extension = Served.extension("x", "1");
    ads.serve(extension);
    Stream before = ads.envoy(Protocol.SOTW).subscribe(EXTENSION, "x");
    before.acceptAll();
    String version = before.acceptedVersion(EXTENSION);

    Ads other = new Ads().serve(extension);
    Stream envoy = other.envoy(Protocol.SOTW).resume(EXTENSION, version, Map.of(), "x");
    assertThat(envoy.accept(EXTENSION).bodies())
        .as("no stand-in for what it runs")
        .containsEntry("x", extension.body());
    assertThat(envoy.isQuiet()).isTrue();
  }

  @Test
  void inSotwAnApplicationIsSentAgainWhatItMayHaveLetGoOfMeanwhile() {
    ads.serve(Served.endpoints("e", "1"));
    Stream before = ads.grpc(Protocol.SOTW).subscribe(ENDPOINTS, "e");
    String version = before.accept(ENDPOINTS).version();
    before.close();

    Stream client = ads.grpc(Protocol.SOTW).resume(ENDPOINTS, version, Map.of(), "e");
    assertThat(client.accept(ENDPOINTS).bodies()).containsOnlyKeys("e");
    assertThat(client.isQuiet()).isTrue();
  }

  @Test
  void aServerThatDoesNotKnowItSendsAClientEndpointsAgain() {
    ads.serve(Served.endpoints("e", "1"));
    Stream before = ads.grpc(Protocol.SOTW).subscribe(ENDPOINTS, "e");
    String version = before.accept(ENDPOINTS).version();
    before.subscribe(ENDPOINTS);

    Ads other = new Ads().serve(Served.endpoints("e", "1"));
    Stream client = other.grpc(Protocol.SOTW).resume(ENDPOINTS, version, Map.of(), "e");
    assertThat(client.accept(ENDPOINTS).bodies())
        .as("it let go of them when nothing referred to them")
        .containsOnlyKeys("e");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void endpointsAreSentAgainToOneThatAsksForThemBeforeClusters(Protocol protocol) {
    Resource endpoints = Served.endpoints("e", "1");
    ads.serve(Served.clusterOf("a", "1", "e"), endpoints);
    Stream before = ads.envoy(protocol).all(CLUSTER);
    before.accept(CLUSTER);
    before.subscribe(ENDPOINTS, "e");
    String version = before.accept(ENDPOINTS).version();
    before.close();

    Stream envoy =
        ads.envoy(protocol).resume(ENDPOINTS, version, Map.of("e", endpoints.version()), "e");
    assertThat(envoy.accept(ENDPOINTS).bodies())
        .as("a cluster waits for them, and it asks for none before")
        .containsOnlyKeys("e");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void whatWasOnItsWayAndIsNotWantedAnyMoreIsReplaced(Protocol protocol) {
    Resource first = Served.cluster("a", "1");
    ads.serve(first);
    Stream before = ads.envoy(protocol).all(CLUSTER);
    String version = before.accept(CLUSTER).version();
    ads.serve(Served.cluster("a", "2"));
    before.next();
    before.close(); // with an answer that nobody heard
    ads.serve(first);

    Stream envoy =
        ads.envoy(protocol)
            .resume(CLUSTER, version, Map.of("a", first.version()))
            .subscribe(LISTENER)
            .subscribe(ROUTES, "r")
            .subscribe(ENDPOINTS, "a");
    assertThat(envoy.accept(CLUSTER).bodies()).containsOnlyKeys("a");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void whatMayHaveComeAndIsNotThereAnyMoreIsTakenAway(Protocol protocol) {
    Resource first = Served.cluster("a", "1");
    ads.serve(first);
    Stream before = ads.envoy(protocol).all(CLUSTER);
    String version = before.accept(CLUSTER).version();
    ads.serve(Served.cluster("b", "1"));
    before.next();
    before.close();
    ads.stop(CLUSTER, "b");

    Stream envoy =
        ads.envoy(protocol)
            .resume(CLUSTER, version, Map.of("a", first.version()))
            .subscribe(LISTENER)
            .subscribe(ROUTES, "r");
    Reply reply = envoy.next();
    while (reply.type() != CLUSTER) {
      reply = envoy.next();
    }
    assertThat(reply.bodies()).doesNotContainKey("b");
    if (protocol == Protocol.DELTA) {
      assertThat(reply.removed()).containsExactly("b");
    }
  }

  @Test
  void whatAnEarlierServerHadAcceptedIsRecognisedAlsoWhenMoreIsServedByNow() {
    ads.serve(Served.cluster("a", "1"), Served.routes("r", "1", "a"));
    Stream before = ads.envoy(Protocol.SOTW).all(CLUSTER);
    String version = before.accept(CLUSTER).version();
    Snapshot accepted = ads.snapshot;

    Ads other = new Ads();
    other.snapshot = accepted;
    other.serve(Served.cluster("b", "1"));
    other.run(() -> other.server.restoreShown(accepted, accepted.with(Served.cluster("c", "1"))));
    other.stop(CLUSTER, "a");

    Stream envoy = other.envoy(Protocol.SOTW).resume(CLUSTER, version, Map.of());
    assertThat(envoy.running(CLUSTER).contains("a")).isTrue();
    assertThat(envoy.next().bodies()).as("its routes may need it").containsKeys("a", "b");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aProxyWithoutRoutesHasNothingToLose(Protocol protocol) {
    Resource listener = Served.listener("l", "1");
    Resource routes = Served.routes("r", "1");
    ads.serve(listener, routes);
    Stream before = ads.envoy(protocol).all(LISTENER);
    String version = before.accept(LISTENER).version();
    before.subscribe(ROUTES, "r");
    String routesVersion = before.accept(ROUTES).version();
    before.close();
    FleetStage stage = new FleetStage(ads.server, () -> {});

    Stream envoy =
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
}
