// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.FakeXdsStream;
import dev.holdfast.controlplane.ads.ReceivedResponse;
import dev.holdfast.controlplane.ads.TestResources;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.snapshot.ResourceType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Envoy keeps a rejected secret, and rejects every listener that uses it. */
class RejectedSecretTest {
  private final AdsHarness ads = new AdsHarness();

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aListenerWaitsForTheReplacementOfARejectedSecret(Protocol protocol) {
    ads.serve(TestResources.listener("l", "1"), TestResources.secret("s", "bad"));
    FakeXdsStream envoy = ads.envoy(protocol).all(ResourceType.LISTENER);
    envoy.accept(ResourceType.LISTENER);
    envoy.subscribe(ResourceType.SECRET, "s");
    envoy.nack(envoy.next(), "no");
    while (!envoy.isQuiet()) {
      envoy.accept(ResourceType.SECRET); // that there is none
    }

    ads.snapshot =
        ads.snapshot.with(TestResources.listener("l", "2")).with(TestResources.secret("s", "good"));
    ads.publish();
    envoy.accept(ResourceType.SECRET);
    assertThat(envoy.accept(ResourceType.LISTENER).bodies()).containsOnlyKeys("l");
    assertThat(envoy.isQuiet()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aListenerDoesNotWaitForASecretWithoutAReplacement(Protocol protocol) {
    ads.serve(TestResources.listener("l", "1"), TestResources.secret("s", "bad"));
    FakeXdsStream envoy = ads.envoy(protocol).all(ResourceType.LISTENER);
    envoy.accept(ResourceType.LISTENER);
    envoy.subscribe(ResourceType.SECRET, "s");
    envoy.nack(envoy.next(), "no");
    while (!envoy.isQuiet()) {
      envoy.accept(ResourceType.SECRET);
    }

    ads.serve(TestResources.listener("l", "2"));
    envoy.accept(ResourceType.LISTENER);
    assertThat(envoy.isQuiet()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aListenerThatWasOnItsWayIsSentOnceMoreAfterTheSecretIsReplaced(Protocol protocol) {
    ads.serve(TestResources.listener("l", "1"), TestResources.secret("s", "bad"));
    FakeXdsStream envoy = ads.envoy(protocol).all(ResourceType.LISTENER);
    envoy.accept(ResourceType.LISTENER);
    envoy.subscribe(ResourceType.SECRET, "s");
    ReceivedResponse bad = envoy.next();
    ads.serve(TestResources.listener("l", "2"));
    ReceivedResponse onItsWay = envoy.next();
    ads.serve(TestResources.secret("s", "good"));

    envoy.nack(bad, "no");
    envoy.nack(onItsWay, "built with a bad secret");

    envoy.accept(ResourceType.SECRET);
    assertThat(envoy.accept(ResourceType.LISTENER).bodies())
        .containsEntry("l", TestResources.listener("l", "2").body());
    assertThat(ads.observed)
        .noneMatch(line -> line.startsWith("rejected envoy-1 " + ResourceType.LISTENER.word()));
    assertThat(envoy.isQuiet()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aListenerThatWasOnItsWayIsRejectedIfTheSecretStaysAsItIs(Protocol protocol) {
    ads.serve(TestResources.listener("l", "1"), TestResources.secret("s", "bad"));
    FakeXdsStream envoy = ads.envoy(protocol).all(ResourceType.LISTENER);
    envoy.accept(ResourceType.LISTENER);
    envoy.subscribe(ResourceType.SECRET, "s");
    ReceivedResponse bad = envoy.next();
    ads.serve(TestResources.listener("l", "2"));
    ReceivedResponse onItsWay = envoy.next();

    envoy.nack(bad, "no");
    envoy.nack(onItsWay, "built with a bad secret");

    assertThat(ads.observed).contains("rejected envoy-1 " + ResourceType.LISTENER.word() + " [l]");
  }
}
