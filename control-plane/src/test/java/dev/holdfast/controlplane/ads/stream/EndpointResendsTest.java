// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import static dev.holdfast.controlplane.ads.TestResources.clusterOf;
import static dev.holdfast.controlplane.ads.TestResources.endpoints;
import static dev.holdfast.controlplane.ads.TestResources.routes;
import static dev.holdfast.controlplane.snapshot.ResourceType.CLUSTER;
import static dev.holdfast.controlplane.snapshot.ResourceType.ENDPOINTS;
import static dev.holdfast.controlplane.snapshot.ResourceType.ROUTES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.FakeXdsStream;
import dev.holdfast.controlplane.ads.ReceivedResponse;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Envoy warms a cluster until its endpoints come, even if it has them already. */
class EndpointResendsTest {
  private final AdsHarness ads = new AdsHarness();

  private FakeXdsStream settled(Protocol protocol) {
    ads.serve(clusterOf("a", "1", "e"), endpoints("e", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER);
    envoy.accept(CLUSTER);
    envoy.subscribe(ENDPOINTS, "e").acceptAll();
    return envoy;
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aNewClusterIsSentEndpointsThatAnotherClusterHas(Protocol protocol) {
    FakeXdsStream envoy = settled(protocol);

    ads.serve(clusterOf("b", "1", "e"));
    ReceivedResponse clusters = envoy.next();
    assertThat(clusters.bodies()).containsKey("b");
    assertThat(envoy.accept(ENDPOINTS).bodies()).containsOnlyKeys("e");

    envoy.ack(clusters);
    assertThat(envoy.isQuiet()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aNewClusterIsSentItsEndpointsAlsoWithOtherNewClusters(Protocol protocol) {
    FakeXdsStream envoy = settled(protocol);

    ads.serve(clusterOf("b", "1", "e"), clusterOf("c", "1", "f"), endpoints("f", "1"));
    assertThat(envoy.next().bodies()).containsKey("b");
    assertThat(envoy.accept(ENDPOINTS).bodies()).containsOnlyKeys("e");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aNewClusterIsSentItsEndpointsAfterAReconnect(Protocol protocol) {
    Resource cluster = clusterOf("a", "1", "e");
    Resource endpoints = endpoints("e", "1");
    ads.serve(cluster, endpoints);
    FakeXdsStream before = ads.envoy(protocol).all(CLUSTER);
    ReceivedResponse clusters = before.accept(CLUSTER);
    ReceivedResponse assignments = before.subscribe(ENDPOINTS, "e").accept(ENDPOINTS);
    before.close();
    ads.serve(clusterOf("b", "1", "e"));

    FakeXdsStream envoy = ads.envoy(protocol);
    envoy.resume(CLUSTER, clusters.version(), Map.of("a", cluster.version()));
    assertThat(envoy.accept(CLUSTER).bodies()).containsKey("b");
    envoy.resume(ENDPOINTS, assignments.version(), Map.of("e", endpoints.version()), "e");

    assertThat(envoy.accept(ENDPOINTS).bodies()).containsOnlyKeys("e");
    assertThat(envoy.isQuiet()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void endpointsOfAClusterInUseAreNotRemoved(Protocol protocol) {
    ads.serve(clusterOf("a", "1", "e"), endpoints("e", "1"), routes("r", "1", "a"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER);
    envoy.accept(CLUSTER);
    envoy.subscribe(ENDPOINTS, "e").acceptAll().subscribe(ROUTES, "r").acceptAll();

    ads.snapshot =
        ads.snapshot.without(new ResourceId(CLUSTER, "a")).without(new ResourceId(ENDPOINTS, "e"));
    ads.serve(routes("r", "2"));
    envoy.subscribe(ENDPOINTS, "e"); // as Envoy may do for another cluster meanwhile
    assertThat(envoy.accept(ROUTES).bodies()).containsOnlyKeys("r");
    assertThat(envoy.accept(ENDPOINTS).bodies()).containsOnlyKeys("e");
    assertThat(envoy.accept(CLUSTER).bodies()).doesNotContainKey("a");
    assertThat(envoy.isQuiet()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aWithdrawnClusterInFlightGetsItsEndpoints(Protocol protocol) {
    FakeXdsStream envoy = settled(protocol);
    ads.serve(clusterOf("b", "1", "f"), endpoints("f", "1"));
    envoy.accept(CLUSTER);
    envoy.subscribe(ENDPOINTS, "e", "f").acceptAll();

    ads.serve(endpoints("e", "2"));
    ReceivedResponse busy = envoy.next();
    ads.serve(clusterOf("b", "2", "f"));
    ReceivedResponse clusters = envoy.next();
    ads.snapshot =
        ads.snapshot.without(new ResourceId(CLUSTER, "b")).without(new ResourceId(ENDPOINTS, "f"));
    ads.publish();

    envoy.ack(busy);
    assertThat(envoy.accept(ENDPOINTS).bodies()).containsOnlyKeys("f");
    envoy.ack(clusters);
    assertThat(envoy.accept(CLUSTER).bodies()).doesNotContainKey("b");
    assertThat(envoy.isQuiet()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aClusterSubscribedByNameStaysUntilTheClientUnsubscribes(Protocol protocol) {
    ads.serve(clusterOf("a", "1", "e"), clusterOf("b", "1", "e"));
    FakeXdsStream grpc = ads.grpc(protocol).subscribe(CLUSTER, "a");
    grpc.acceptAll();

    ads.stop(CLUSTER, "a");
    assertThat(grpc.isQuiet()).isTrue();
    grpc.subscribe(CLUSTER, "a", "b").acceptAll();
    assertThat(grpc.running(CLUSTER).contains("a")).isTrue();
    assertThat(grpc.running(CLUSTER).contains("b")).isTrue();
  }

  @Test
  void aRepeatedSotwRequestAfterAResendIsNotAnsweredTwice() {
    FakeXdsStream envoy = settled(Protocol.SOTW);

    ads.serve(clusterOf("a", "2", "e"));
    ReceivedResponse clusters = envoy.next();
    ReceivedResponse again = envoy.next();
    envoy.subscribe(ENDPOINTS, "e"); // as Envoy does, with nothing new in it
    envoy.ack(again).ack(clusters);

    assertThat(envoy.isQuiet()).isTrue();
    envoy.subscribe(ENDPOINTS, "e");
    assertThat(envoy.accept(ENDPOINTS).bodies()).containsOnlyKeys("e");
  }
}
