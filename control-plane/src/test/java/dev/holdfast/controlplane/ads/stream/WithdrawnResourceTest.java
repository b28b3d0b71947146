// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import static dev.holdfast.controlplane.snapshot.ResourceType.CLUSTER;
import static dev.holdfast.controlplane.snapshot.ResourceType.ENDPOINTS;
import static dev.holdfast.controlplane.snapshot.ResourceType.EXTENSION;
import static dev.holdfast.controlplane.snapshot.ResourceType.ROUTES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.FakeXdsStream;
import dev.holdfast.controlplane.ads.ReceivedResponse;
import dev.holdfast.controlplane.ads.TestResources;
import dev.holdfast.controlplane.ads.wire.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A resource is withdrawn before a proxy uses it, or unsubscribed while a response is in flight.
 */
class WithdrawnResourceTest {
  private final AdsHarness ads = new AdsHarness();

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aMissingClusterIsReportedOnlyAfterTheRoutesThatUseItAreReplaced(Protocol protocol) {
    ads.serve(TestResources.byName(TestResources.routes("r", "1")));
    FakeXdsStream client = ads.grpc(protocol).subscribe(ROUTES, "r");
    client.accept(ROUTES);
    ads.serve(
        TestResources.byName(TestResources.cluster("a", "1")),
        TestResources.byName(TestResources.routes("r", "2", "a")));
    client.accept(ROUTES);

    // What was tried is withdrawn before the client has asked for the cluster.
    client.ready = false;
    ads.stop(CLUSTER, "a");
    ads.serve(TestResources.byName(TestResources.routes("r", "1")));
    client.subscribe(CLUSTER, "a");
    client.becomeReady();

    ReceivedResponse reply = client.next();
    assertThat(reply.type()).as("first what refers to the cluster is replaced").isEqualTo(ROUTES);
    assertThat(client.isQuiet()).isTrue();
    client.ack(reply);
    assertThat(client.next().errors()).as("it asks for it still").containsOnlyKeys("a");
  }

  @Test
  void missingEndpointsAreReportedOnlyAfterTheRoutesAreReplaced() {
    ads.serve(TestResources.byName(TestResources.routes("r", "1")));
    FakeXdsStream client = ads.grpc(Protocol.DELTA).subscribe(ROUTES, "r");
    client.accept(ROUTES);
    ads.serve(
        TestResources.byName(TestResources.cluster("a", "1")),
        TestResources.byName(TestResources.routes("r", "2", "a")));
    client.accept(ROUTES);
    client.subscribe(CLUSTER, "a").accept(CLUSTER);

    client.ready = false;
    ads.stop(CLUSTER, "a");
    ads.serve(TestResources.byName(TestResources.routes("r", "1")));
    client.subscribe(ENDPOINTS, "a");
    client.becomeReady();

    ReceivedResponse reply = client.next();
    assertThat(reply.type()).isEqualTo(ROUTES);
    assertThat(client.isQuiet()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aNameUnsubscribedWhileAResponseIsInFlightIsNotHeldAfterTheAck(Protocol protocol) {
    ads.serve(TestResources.extension("x", "1"), TestResources.extension("y", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).subscribe(EXTENSION, "x", "y");
    envoy.acceptAll();
    assertThat(envoy.running(EXTENSION).size()).isEqualTo(2);

    ads.serve(TestResources.extension("y", "2"));
    ReceivedResponse reply = envoy.next();
    if (protocol == Protocol.SOTW) {
      envoy.subscribe(EXTENSION, "y");
    } else {
      envoy.unsubscribe(EXTENSION, "x");
    }
    envoy.ack(reply);

    assertThat(envoy.running(EXTENSION).contains("x")).isFalse();
    assertThat(envoy.running(EXTENSION).contains("y")).isTrue();
  }
}
