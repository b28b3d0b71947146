// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.reconnect;

import static dev.holdfast.controlplane.ads.TestResources.listener;
import static dev.holdfast.controlplane.snapshot.ResourceType.LISTENER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.FakeXdsStream;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that holds nothing takes the place of the one that had its node id. */
class NewProcessTest {
  private final AdsHarness ads = new AdsHarness();

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aStreamOfAProcessThatHoldsNothingEndsTheOneBefore(Protocol protocol) {
    ads.serve(listener("l", "1"));
    ads.envoy(protocol).all(LISTENER).accept(LISTENER);

    FakeXdsStream second = ads.envoy(protocol).all(LISTENER);

    assertThat(second.accept(LISTENER).bodies()).containsOnlyKeys("l");
    assertThat(ads.server.proxies())
        .singleElement()
        .satisfies(proxy -> assertThat(proxy.streams()).hasSize(1));
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aProcessThatResumesJoinsTheOneBefore(Protocol protocol) {
    ads.serve(listener("l", "1"));
    FakeXdsStream first = ads.envoy(protocol).all(LISTENER);
    first.accept(LISTENER);

    ads.envoy(protocol)
        .resume(
            LISTENER, first.acceptedVersion(LISTENER), Map.of("l", listener("l", "1").version()));

    assertThat(ads.server.proxies())
        .singleElement()
        .satisfies(proxy -> assertThat(proxy.streams()).hasSize(2));
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aCanaryThatStartsAgainIsServedTheBaseline(Protocol protocol) {
    ads.serve(listener("l", "1"));
    ads.envoy(protocol).all(LISTENER).accept(LISTENER);
    Snapshot baseline = ads.snapshot;
    ads.serve(listener("l", "2"));
    Snapshot trial = ads.snapshot;
    ads.run(() -> ads.server.show(baseline, Set.of("envoy-1"), trial));

    FakeXdsStream second = ads.envoy(protocol).all(LISTENER);

    assertThat(second.accept(LISTENER).bodies().get("l")).isEqualTo(listener("l", "1").body());
    ads.run(() -> ads.server.show(baseline, Set.of("envoy-1"), trial));
    assertThat(second.isQuiet()).as("it may have died of the trial").isTrue();
  }
}
