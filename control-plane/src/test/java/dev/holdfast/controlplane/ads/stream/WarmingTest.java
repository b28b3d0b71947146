// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import static dev.holdfast.controlplane.snapshot.ResourceType.CLUSTER;
import static dev.holdfast.controlplane.snapshot.ResourceType.EXTENSION;
import static dev.holdfast.controlplane.snapshot.ResourceType.LISTENER;
import static dev.holdfast.controlplane.snapshot.ResourceType.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.FakeXdsStream;
import dev.holdfast.controlplane.ads.ReceivedResponse;
import dev.holdfast.controlplane.ads.TestResources;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Listeners and clusters that warm, and the resources that they wait for. */
class WarmingTest {
  private final AdsHarness ads = new AdsHarness();

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void unprovenChangesWaitWhileListenersWarm(Protocol protocol) {
    ads.serve(TestResources.listener("l", "1"), TestResources.extension("old", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(LISTENER);
    envoy.accept(LISTENER);
    envoy.subscribe(EXTENSION, "old").acceptAll();

    ads.serve(
        TestResources.listener("l", "2"),
        TestResources.extension("old", "2"),
        TestResources.extension("new", "1"));
    ReceivedResponse listener = envoy.next();
    assertThat(listener.type()).isEqualTo(LISTENER);
    assertThat(envoy.isQuiet()).as("a refusal now would set the listener free").isTrue();

    envoy.subscribe(EXTENSION, "new", "old").ack(listener);
    assertThat(envoy.accept(EXTENSION).bodies()).as("a stand-in").containsOnlyKeys("new");
    envoy.acceptAll();
    assertThat(envoy.running(EXTENSION).get("old")).isEqualTo(TestResources.extension("old", "2"));
    assertThat(envoy.running(EXTENSION).get("new")).isEqualTo(TestResources.extension("new", "1"));
  }

  /** One proxy may refuse what all others of its class run. */
  @ParameterizedTest
  @EnumSource(Protocol.class)
  void soDoChangesThatOthersHaveAccepted(Protocol protocol) {
    ads.serve(TestResources.listener("l", "1"), TestResources.extension("old", "1"));
    FakeXdsStream other = ads.envoy(protocol, "envoy-2").all(LISTENER);
    FakeXdsStream envoy = ads.envoy(protocol).all(LISTENER);
    for (FakeXdsStream each : List.of(other, envoy)) {
      each.accept(LISTENER);
      each.subscribe(EXTENSION, "old").acceptAll();
    }

    ads.serve(
        TestResources.listener("l", "2"),
        TestResources.extension("old", "2"),
        TestResources.extension("new", "1"));
    other.accept(LISTENER);
    other.subscribe(EXTENSION, "new", "old").acceptAll();
    ReceivedResponse listener = envoy.next();
    assertThat(listener.type()).isEqualTo(LISTENER);
    assertThat(envoy.isQuiet()).as("a refusal now would set the listener free").isTrue();

    envoy.subscribe(EXTENSION, "new", "old").ack(listener);
    assertThat(envoy.accept(EXTENSION).bodies()).as("it warms still").containsOnlyKeys("new");
    envoy.acceptAll();
    assertThat(envoy.running(EXTENSION).get("old")).isEqualTo(TestResources.extension("old", "2"));
    assertThat(envoy.running(EXTENSION).get("new")).isEqualTo(TestResources.extension("new", "1"));
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aWithdrawnClusterInFlightGetsItsSecret(Protocol protocol) {
    ads.serve(TestResources.cluster("a", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER);
    envoy.accept(CLUSTER);
    ads.serve(TestResources.cluster("b", "1"), TestResources.secret("s", "1"));
    ReceivedResponse clusters = envoy.next();

    ads.snapshot =
        ads.snapshot.without(new ResourceId(CLUSTER, "b")).without(new ResourceId(SECRET, "s"));
    ads.publish();
    envoy.subscribe(SECRET, "s");

    assertThat(envoy.accept(SECRET).bodies()).containsOnlyKeys("s");
    envoy.ack(clusters);
    assertThat(envoy.accept(CLUSTER).bodies()).doesNotContainKey("b");
  }
}
