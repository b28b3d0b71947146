// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.reconnect;

import static dev.holdfast.controlplane.snapshot.ResourceType.CLUSTER;
import static dev.holdfast.controlplane.snapshot.ResourceType.EXTENSION;
import static dev.holdfast.controlplane.snapshot.ResourceType.LISTENER;
import static dev.holdfast.controlplane.snapshot.ResourceType.ROUTES;
import static dev.holdfast.controlplane.snapshot.ResourceType.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.Holder;
import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.FakeXdsStream;
import dev.holdfast.controlplane.ads.ReceivedResponse;
import dev.holdfast.controlplane.ads.TestResources;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.snapshot.Resource;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

/** A server that stops in good order records the versions that its Envoys hold for the next one. */
class ConfirmedVersionsTest {
  private static final Resource S = TestResources.secret("s", "1");
  private static final Holder SECRETS = new Holder("envoy-1", SECRET.typeUrl());

  private final AdsHarness ads = new AdsHarness().serve(S);
  private SortedMap<Holder, String> held = Collections.emptySortedMap();

  /** Lets an Envoy accept the secret; returns the version. */
  private String runsSecret(FakeXdsStream envoy) {
    envoy.subscribe(SECRET, "s");
    return envoy.accept(SECRET).version();
  }

  private SortedMap<Holder, String> stop(AdsHarness server) {
    server.run(() -> held = server.server.close());
    return held;
  }

  /** The next server process, with the confirmed versions of the one before. */
  private AdsHarness next(Resource... resources) {
    AdsHarness next = new AdsHarness().serve(resources);
    SortedMap<Holder, String> all = held;
    next.run(() -> next.server.restoreConfirmed(all));
    return next;
  }

  private static FakeXdsStream comesBack(AdsHarness ads, String version, String... names) {
    return ads.envoy(Protocol.SOTW).resume(SECRET, version, Map.of(), names);
  }

  @Test
  void confirmedSecretsAreNotSentAgain() {
    String version = runsSecret(ads.envoy(Protocol.SOTW));
    assertThat(stop(ads)).isEqualTo(Map.of(SECRETS, version));

    FakeXdsStream envoy = comesBack(next(S), version, "s");
    assertThat(envoy.isQuiet()).isTrue();
    assertThat(envoy.running(SECRET).contains("s")).isTrue();
  }

  @Test
  void confirmedFiltersAreNotSentAgain() {
    Resource filter = TestResources.extension("x", "1");
    ads.serve(filter);
    FakeXdsStream before = ads.envoy(Protocol.SOTW).subscribe(EXTENSION, "x").acceptAll();
    String version = before.acceptedVersion(EXTENSION);
    assertThat(stop(ads)).containsOnlyKeys(new Holder("envoy-1", EXTENSION.typeUrl()));

    FakeXdsStream envoy =
        next(filter).envoy(Protocol.SOTW).resume(EXTENSION, version, Map.of(), "x").acceptAll();
    assertThat(envoy.acceptedVersion(EXTENSION)).as("nothing was sent").isEmpty();
  }

  @Test
  void aLaterChangeIsSent() {
    String version = runsSecret(ads.envoy(Protocol.SOTW));
    stop(ads);

    AdsHarness next = next(S);
    FakeXdsStream envoy = comesBack(next, version, "s");
    next.serve(TestResources.secret("s", "2"));
    assertThat(envoy.accept(SECRET).bodies()).containsOnlyKeys("s");
  }

  @Test
  void anUnconfirmedVersionIsSentAgain() {
    String version = runsSecret(ads.envoy(Protocol.SOTW));
    stop(ads);

    FakeXdsStream envoy = comesBack(next(S), version + "0", "s");
    assertThat(envoy.accept(SECRET).bodies()).as("it was elsewhere meanwhile").containsKey("s");
  }

  @Test
  void namesOutsideTheConfirmedVersionAreSent() {
    String version = runsSecret(ads.envoy(Protocol.SOTW));
    stop(ads);

    FakeXdsStream envoy = comesBack(next(S, TestResources.secret("t", "1")), version, "s", "t");
    assertThat(envoy.acceptAll().running(SECRET).contains("t")).isTrue();
    assertThat(envoy.acceptedVersion(SECRET)).isNotEmpty();
  }

  @Test
  void aSecretThatChangedDuringTheRestartIsSent() {
    String version = runsSecret(ads.envoy(Protocol.SOTW));
    stop(ads);

    Resource changed = TestResources.secret("s", "2");
    FakeXdsStream envoy = comesBack(next(changed), version, "s");
    assertThat(envoy.accept(SECRET).bodies()).containsEntry("s", changed.body());
  }

  @Test
  void aRestartedEnvoyIsSentEverything() {
    runsSecret(ads.envoy(Protocol.SOTW));
    stop(ads);

    FakeXdsStream envoy = next(S).envoy(Protocol.SOTW).subscribe(SECRET, "s");
    assertThat(envoy.accept(SECRET).bodies()).containsOnlyKeys("s");
  }

  @Test
  void aConfirmedVersionCountsForTheFirstStreamOnly() {
    String version = runsSecret(ads.envoy(Protocol.SOTW));
    stop(ads);

    AdsHarness next = next(S);
    next.envoy(Protocol.SOTW).subscribe(ROUTES).close();
    assertThat(comesBack(next, version, "s").accept(SECRET).bodies()).containsOnlyKeys("s");
  }

  @Test
  void aConfirmedVersionCountsForNoOtherProxy() {
    String version = runsSecret(ads.envoy(Protocol.SOTW));
    stop(ads);

    FakeXdsStream other =
        next(S).envoy(Protocol.SOTW, "envoy-2").resume(SECRET, version, Map.of(), "s");
    assertThat(other.accept(SECRET).bodies()).containsOnlyKeys("s");
  }

  @Test
  void aConfirmedVersionDoesNotCountOnceClustersWereSent() {
    String version = runsSecret(ads.envoy(Protocol.SOTW));
    stop(ads);

    FakeXdsStream envoy =
        next(S, TestResources.cluster("c", "1")).envoy(Protocol.SOTW).all(CLUSTER);
    envoy.accept(CLUSTER);
    envoy.resume(SECRET, version, Map.of(), "s");
    assertThat(envoy.accept(SECRET).bodies())
        .as("it may have asked for it because of them")
        .containsOnlyKeys("s");
  }

  @Test
  void proxiesThatHaveNotReconnectedStayConfirmedOverASecondRestart() {
    String version = runsSecret(ads.envoy(Protocol.SOTW));
    stop(ads);

    assertThat(stop(next(S))).isEqualTo(Map.of(SECRETS, version));
    AdsHarness next = next(S);
    next.run(next.server::forgetRestored);
    assertThat(stop(next)).isEmpty();
  }

  @Test
  void aReconnectedProxyIsConfirmedByItsCurrentVersion() {
    String version = runsSecret(ads.envoy(Protocol.SOTW));
    stop(ads);

    AdsHarness same = next(S);
    comesBack(same, version, "s");
    assertThat(stop(same)).isEqualTo(Map.of(SECRETS, version));

    AdsHarness without = next(S);
    without.envoy(Protocol.SOTW).subscribe(ROUTES);
    assertThat(stop(without)).isEmpty();
  }

  @Test
  void nothingIsConfirmedWhileAResponseIsInFlight() {
    ads.serve(TestResources.cluster("c", "1"));
    FakeXdsStream envoy = ads.envoy(Protocol.SOTW).all(CLUSTER);
    ReceivedResponse clusters = envoy.next();
    runsSecret(envoy);
    assertThat(stop(ads)).isEmpty();
    assertThat(clusters.type()).isEqualTo(CLUSTER);
  }

  @Test
  void nothingIsConfirmedForAProxyThatRejectedAResponse() {
    ads.serve(TestResources.listener("l", "1"));
    FakeXdsStream envoy = ads.envoy(Protocol.SOTW);
    runsSecret(envoy);
    envoy.all(LISTENER);
    envoy.nack(envoy.next(), "Error adding/updating listener(s) l: no").acceptAll();
    assertThat(stop(ads)).isEmpty();
  }

  @Test
  void nothingIsConfirmedAfterAnUnsubscribe() {
    FakeXdsStream envoy = ads.envoy(Protocol.SOTW);
    runsSecret(envoy);
    envoy.subscribe(SECRET, "gone");
    assertThat(stop(ads)).isEmpty();
  }

  @Test
  void nothingIsConfirmedForTwoStreamsOfOneNode() {
    String version = runsSecret(ads.envoy(Protocol.SOTW));
    comesBack(ads, version, "s"); // one that held nothing would take the place of the first
    assertThat(stop(ads)).isEmpty();
  }

  @Test
  void onlySotwEnvoysWithANodeIdAreConfirmed() {
    runsSecret(ads.envoy(Protocol.SOTW, ""));
    runsSecret(ads.envoy(Protocol.DELTA, "delta"));
    runsSecret(ads.grpc(Protocol.SOTW));
    assertThat(stop(ads)).isEmpty();
  }

  @Test
  void nothingIsSentAfterClose() {
    FakeXdsStream envoy = ads.envoy(Protocol.SOTW);
    runsSecret(envoy);
    stop(ads);
    ads.serve(TestResources.secret("s", "2"));
    envoy.becomeReady();
    assertThat(envoy.isQuiet()).isTrue();
  }
}
