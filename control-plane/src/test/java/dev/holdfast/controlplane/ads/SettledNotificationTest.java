// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever waits for what a proxy makes of something hears of it, even if nothing more is said. */
class SettledNotificationTest {
  private final AdsHarness ads = new AdsHarness();

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aRefusalOnAStreamThatTakesNoMoreIsSettledWhenItDoes(Protocol protocol) {
    ads.serve(TestResources.routes("r", "good"));
    FakeXdsStream envoy = ads.envoy(protocol).subscribe(ResourceType.ROUTES, "r");
    envoy.accept(ResourceType.ROUTES);
    ads.serve(TestResources.routes("r", "bad"));
    ReceivedResponse bad = envoy.next();
    ads.heard.clear();

    envoy.ready = false;
    envoy.nack(bad, "no");
    assertThat(ads.heard).containsExactly("rejected envoy-1 RouteConfiguration [r]");
    envoy.becomeReady();

    assertThat(ads.heard).endsWith("settled envoy-1");
    assertThat(envoy.isQuiet()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void thatThereIsNothingToSayIsToldOnce(Protocol protocol) {
    ads.serve(TestResources.routes("r", "good"));
    FakeXdsStream envoy = ads.envoy(protocol).subscribe(ResourceType.ROUTES, "r");
    envoy.accept(ResourceType.ROUTES);
    ads.serve(TestResources.routes("r", "bad"));
    envoy.nack(envoy.next(), "no");
    ads.heard.clear();

    ads.publish();
    ads.publish();
    assertThat(ads.heard).isEmpty();
    ads.serve(TestResources.routes("r", "good"));
    assertThat(ads.heard).containsExactly("settled envoy-1");
  }

  @Test
  void whatAClusterWaitsForMayTurnOutToBeSettledAlready() {
    Resource cluster = TestResources.cluster("a", "1");
    Resource listener = TestResources.listener("l", "1");
    ads.serve(cluster, listener);
    FakeXdsStream envoy = ads.envoy(Protocol.DELTA);
    envoy.ready = false; // so that everything is looked at together
    envoy.resume(ResourceType.CLUSTER, "", Map.of("a", cluster.version(), "gone", "old"));
    envoy.resume(ResourceType.LISTENER, "", Map.of("l", listener.version()));
    envoy.becomeReady();
    assertThat(envoy.isQuiet()).as("it may run routes that need what is gone").isTrue();
    ads.advance(AdsServer.patience(ResourceType.ROUTES));

    ReceivedResponse reply = envoy.accept(ResourceType.CLUSTER);
    assertThat(reply.removed()).containsExactly("gone");
    assertThat(envoy.isQuiet()).isTrue();
  }
}
