// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import static dev.holdfast.controlplane.ads.TestResources.clusterOf;
import static dev.holdfast.controlplane.ads.TestResources.endpoints;
import static dev.holdfast.controlplane.snapshot.ResourceType.CLUSTER;
import static dev.holdfast.controlplane.snapshot.ResourceType.ENDPOINTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.FakeXdsStream;
import dev.holdfast.controlplane.ads.ReceivedResponse;
import dev.holdfast.controlplane.ads.wire.Protocol;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An Envoy that starts waits for the endpoints of all its clusters, and goes on without them when
 * its patience is over: one response for each of a thousand services would be too slow.
 */
class FirstEndpointsTest {
  private static final int SERVICES = 500;
  private static final List<String> NAMES =
      IntStream.range(0, SERVICES).mapToObj(i -> "e" + i).toList();

  private final AdsHarness ads = new AdsHarness();

  private FakeXdsStream started(Protocol protocol) {
    return started(protocol, NAMES);
  }

  private FakeXdsStream started(Protocol protocol, List<String> names) {
    for (String name : names) {
      ads.serve(clusterOf("c-" + name, "1", name), endpoints(name, "1"));
    }
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER);
    envoy.accept(CLUSTER);
    return envoy.subscribe(ENDPOINTS, names.toArray(new String[0]));
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void theEndpointsThatAProxyLacksTravelTogether(Protocol protocol) {
    FakeXdsStream envoy = started(protocol);

    assertThat(envoy.accept(ENDPOINTS).bodies()).containsOnlyKeys(NAMES);
    assertThat(envoy.isQuiet()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void ifTheyAreRejectedEachIsSentAloneAndOnlyTheBadOneIsMissing(Protocol protocol) {
    FakeXdsStream envoy = started(protocol);
    envoy.nack(envoy.next(), "malformed IP address: x");

    int alone = 0;
    while (!envoy.isQuiet()) {
      ReceivedResponse next = envoy.next();
      Set<String> names = next.bodies().keySet();
      assertThat(names).hasSize(1);
      alone++;
      if (names.contains("e7")) {
        envoy.nack(next, "malformed IP address: x");
      } else {
        envoy.ack(next);
      }
    }

    assertThat(alone).isEqualTo(SERVICES);
    assertThat(envoy.running(ENDPOINTS).size()).isEqualTo(SERVICES - 1);
    assertThat(envoy.running(ENDPOINTS).contains("e7")).isFalse();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aFewTravelAloneSoThatAnAnswerConcernsOne(Protocol protocol) {
    FakeXdsStream envoy = started(protocol, NAMES.subList(0, 5));

    for (int i = 0; i < 5; i++) {
      assertThat(envoy.accept(ENDPOINTS).bodies()).hasSize(1);
    }
    assertThat(envoy.isQuiet()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void anUnprovenChangeOfEndpointsThatItHasStillTravelsAlone(Protocol protocol) {
    FakeXdsStream envoy = started(protocol);
    envoy.acceptAll();

    ads.snapshot = ads.snapshot.with(endpoints("e1", "2")).with(endpoints("e2", "2"));
    ads.publish();

    assertThat(envoy.accept(ENDPOINTS).bodies()).hasSize(1);
    assertThat(envoy.accept(ENDPOINTS).bodies()).hasSize(1);
    assertThat(envoy.isQuiet()).isTrue();
  }
}
