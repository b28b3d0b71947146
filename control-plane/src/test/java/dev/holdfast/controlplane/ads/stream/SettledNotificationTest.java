// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.FakeXdsStream;
import dev.holdfast.controlplane.ads.ReceivedResponse;
import dev.holdfast.controlplane.ads.TestResources;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The observer learns that a type has settled, even if no ACK or NACK follows. */
class SettledNotificationTest {
  private final AdsHarness ads = new AdsHarness();

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aRejectionOnABlockedStreamSettlesWhenTheStreamIsReady(Protocol protocol) {
    ads.serve(TestResources.routes("r", "good"));
    FakeXdsStream envoy = ads.envoy(protocol).subscribe(ResourceType.ROUTES, "r");
    envoy.accept(ResourceType.ROUTES);
    ads.serve(TestResources.routes("r", "bad"));
    ReceivedResponse bad = envoy.next();
    ads.observed.clear();

    envoy.ready = false;
    envoy.nack(bad, "no");
    assertThat(ads.observed).containsExactly("rejected envoy-1 RouteConfiguration [r]");
    envoy.becomeReady();

    assertThat(ads.observed).endsWith("settled envoy-1");
    assertThat(envoy.isQuiet()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void settlingIsReportedOnce(Protocol protocol) {
    ads.serve(TestResources.routes("r", "good"));
    FakeXdsStream envoy = ads.envoy(protocol).subscribe(ResourceType.ROUTES, "r");
    envoy.accept(ResourceType.ROUTES);
    ads.serve(TestResources.routes("r", "bad"));
    envoy.nack(envoy.next(), "no");
    ads.observed.clear();

    ads.publish();
    ads.publish();
    assertThat(ads.observed).isEmpty();
    ads.serve(TestResources.routes("r", "good"));
    assertThat(ads.observed).containsExactly("settled envoy-1");
  }

  @Test
  void aClusterRemovalWaitsForTheEndOfTheReconnectWindow() {
    Resource cluster = TestResources.cluster("a", "1");
    Resource listener = TestResources.listener("l", "1");
    ads.serve(cluster, listener);
    FakeXdsStream envoy = ads.envoy(Protocol.DELTA);
    envoy.ready = false; // so that everything is looked at together
    envoy.resume(ResourceType.CLUSTER, "", Map.of("a", cluster.version(), "gone", "old"));
    envoy.resume(ResourceType.LISTENER, "", Map.of("l", listener.version()));
    envoy.becomeReady();
    assertThat(envoy.isQuiet()).as("it may run routes that need what is gone").isTrue();
    ads.advance(InFlightResponse.timeout(ResourceType.ROUTES));

    ReceivedResponse reply = envoy.accept(ResourceType.CLUSTER);
    assertThat(reply.removed()).containsExactly("gone");
    assertThat(envoy.isQuiet()).isTrue();
  }
}
