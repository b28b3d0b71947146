// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import static dev.holdfast.controlplane.ads.TestResources.byName;
import static dev.holdfast.controlplane.ads.TestResources.cluster;
import static dev.holdfast.controlplane.ads.TestResources.endpoints;
import static dev.holdfast.controlplane.ads.TestResources.listener;
import static dev.holdfast.controlplane.ads.TestResources.routes;
import static dev.holdfast.controlplane.snapshot.ResourceType.CLUSTER;
import static dev.holdfast.controlplane.snapshot.ResourceType.ENDPOINTS;
import static dev.holdfast.controlplane.snapshot.ResourceType.LISTENER;
import static dev.holdfast.controlplane.snapshot.ResourceType.ROUTES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.FakeXdsStream;
import dev.holdfast.controlplane.ads.ReceivedResponse;
import dev.holdfast.controlplane.ads.TestResources;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Subscriptions by name and by wildcard, in both protocols. */
class SubscriptionTest {
  private final AdsHarness ads = new AdsHarness();

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aWildcardSubscriptionDoesNotCoverResourcesServedByName(Protocol protocol) {
    ads.serve(listener("l", "1"), byName(listener("shop.example.com", "1")));

    assertThat(ads.envoy(protocol).all(LISTENER).accept(LISTENER).bodies()).containsOnlyKeys("l");
    FakeXdsStream grpc = ads.grpc(protocol).subscribe(LISTENER, "shop.example.com");
    assertThat(grpc.accept(LISTENER).bodies()).containsOnlyKeys("shop.example.com");
    ads.serve(listener("l", "2"));
    assertThat(grpc.isQuiet()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aWildcardSubscriptionIsAnsweredEvenIfNothingExists(Protocol protocol) {
    ReceivedResponse reply = ads.envoy(protocol).all(CLUSTER).accept(CLUSTER);

    assertThat(reply.bodies()).isEmpty();
    assertThat(reply.identifier()).isEqualTo("holdfast-test");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aMissingNameIsReportedOnceWithTheReason(Protocol protocol) {
    ads.snapshot =
        ads.snapshot.withAbsence(
            new ResourceId(LISTENER, "a.example.com"), "HTTPProxy/shop/a is not valid");
    ads.publish();
    FakeXdsStream grpc = ads.grpc(protocol).subscribe(LISTENER, "a.example.com", "b.example.com");

    ReceivedResponse reply = grpc.accept(LISTENER);
    assertThat(reply.errors())
        .containsEntry("a.example.com", "HTTPProxy/shop/a is not valid")
        .containsEntry(
            "b.example.com",
            "Listener/b.example.com does not exist: no object has the host b.example.com");
    ads.serve(listener("l", "1"));
    assertThat(grpc.isQuiet()).isTrue();

    ads.serve(byName(listener("a.example.com", "1")));
    assertThat(grpc.accept(LISTENER).bodies()).containsOnlyKeys("a.example.com");
    ads.stop(LISTENER, "a.example.com");
    ReceivedResponse gone = grpc.accept(LISTENER);
    assertThat(gone.bodies()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aReconnectedProxyWithTheServedVersionsIsSentNothing(Protocol protocol) {
    ads.serve(cluster("a", "1"), routes("x", "1"), routes("y", "1"));
    FakeXdsStream before = ads.envoy(protocol).all(CLUSTER);
    ReceivedResponse clusters = before.accept(CLUSTER);
    before.subscribe(ROUTES, "x", "y");
    before.accept(ROUTES);
    ReceivedResponse routes = before.accept(ROUTES);

    AdsHarness restarted =
        new AdsHarness().serve(cluster("a", "1")).serve(routes("x", "1"), routes("y", "1"));
    FakeXdsStream after = restarted.envoy(protocol);
    after.resume(CLUSTER, clusters.version(), Map.of("a", cluster("a", "1").version()));
    after.resume(
        ROUTES,
        routes.version(),
        Map.of("x", routes("x", "1").version(), "y", routes("y", "1").version()),
        "x",
        "y");

    assertThat(after.isQuiet()).isTrue();
    restarted.serve(routes("y", "2"));
    assertThat(after.accept(ROUTES).bodies()).containsOnlyKeys("y");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aReconnectedProxyWithOtherVersionsIsSentTheDifference(Protocol protocol) {
    ads.serve(cluster("a", "2"), cluster("b", "1"));
    FakeXdsStream envoy = ads.envoy(protocol);
    envoy.resume(
        CLUSTER, "0123-7", Map.of("a", "old", "b", cluster("b", "1").version(), "gone", "old"));

    if (protocol == Protocol.SOTW) {
      assertThat(envoy.accept(CLUSTER).bodies()).containsOnlyKeys("a", "b");
    } else {
      assertThat(envoy.accept(CLUSTER).bodies()).containsOnlyKeys("a");
      assertThat(envoy.isQuiet()).as("it may run routes that need what is gone").isTrue();
      ads.advance(InFlightResponse.timeout(ROUTES));
      assertThat(envoy.accept(CLUSTER).removed()).containsExactly("gone");
    }
    assertThat(envoy.isQuiet()).isTrue();
  }

  @Test
  void aDeltaSubscriptionIsAnsweredEvenIfNothingChanged() {
    ads.serve(endpoints("a", "1"));
    FakeXdsStream envoy = ads.envoy(Protocol.DELTA).subscribe(ENDPOINTS, "a").acceptAll();
    envoy.unsubscribe(ENDPOINTS, "a");
    ads.serve(endpoints("a", "2"));
    assertThat(envoy.isQuiet()).isTrue();

    envoy.subscribe(ENDPOINTS, "a");
    assertThat(envoy.accept(ENDPOINTS).bodies()).containsOnlyKeys("a");
    envoy.subscribe(ENDPOINTS, "a");
    assertThat(envoy.accept(ENDPOINTS).bodies()).containsOnlyKeys("a");
  }

  @Test
  void aSotwSubscriptionToOneMoreClusterIsAnsweredWithAllOfThem() {
    ads.serve(cluster("a", "1"), cluster("b", "1"));
    FakeXdsStream grpc = ads.grpc(Protocol.SOTW).subscribe(CLUSTER, "a").acceptAll();
    grpc.subscribe(CLUSTER, "a", "b");
    assertThat(grpc.accept(CLUSTER).bodies()).containsOnlyKeys("a", "b");
    grpc.subscribe(CLUSTER, "b");
    assertThat(grpc.isQuiet()).isTrue();
    assertThat(grpc.running(CLUSTER).contains("a")).isFalse();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void unknownNoncesAndTypesChangeNothing(Protocol protocol) {
    ads.serve(cluster("a", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER);
    ReceivedResponse reply = envoy.next();
    envoy.request(CLUSTER, "nonsense", "an error of nothing", Map.of(), "");
    assertThat(ads.observed).noneMatch(line -> line.startsWith("rejected"));
    assertThat(envoy.isQuiet()).isTrue();

    envoy.ack(reply);
    assertThat(ads.observed).contains("accepted envoy-1 Cluster 1");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void rejectionsAreRememberedAfterTheStreamEnds(Protocol protocol) {
    ads.serve(routes("x", "good"));
    FakeXdsStream envoy = ads.envoy(protocol).subscribe(ROUTES, "x").acceptAll();
    ads.serve(routes("x", "bad"));
    envoy.nack(envoy.next(), "no");
    envoy.close();

    FakeXdsStream again = ads.envoy(protocol).subscribe(ROUTES, "x");
    assertThat(again.accept(ROUTES).bodies().get("x")).isEqualTo(routes("x", "good").body());
    assertThat(again.isQuiet()).isTrue();
  }

  @Test
  void aSotwResponseAfterAnOverdueOneRepeatsItsResources() {
    ads.serve(TestResources.listener("a", "1"));
    FakeXdsStream envoy = ads.envoy(Protocol.SOTW).all(LISTENER);
    envoy.next(); // and says nothing
    ads.advance(InFlightResponse.timeout(LISTENER));
    assertThat(envoy.isQuiet()).as("nothing is new").isTrue();

    ads.serve(TestResources.listener("b", "1"));
    assertThat(envoy.accept(LISTENER).bodies())
        .as("what is not in it is taken away")
        .containsOnlyKeys("a", "b");
  }

  @Test
  void aSotwResponseAfterAnOverdueOneRepeatsItsRemovals() {
    ads.serve(TestResources.listener("a", "1"), TestResources.listener("b", "1"));
    FakeXdsStream envoy = ads.envoy(Protocol.SOTW).all(LISTENER);
    envoy.accept(LISTENER);
    ads.stop(LISTENER, "a");
    envoy.next(); // and says nothing
    ads.advance(InFlightResponse.timeout(LISTENER));

    ads.serve(TestResources.listener("b", "2"));
    assertThat(envoy.accept(LISTENER).bodies()).containsOnlyKeys("b");
  }
}
