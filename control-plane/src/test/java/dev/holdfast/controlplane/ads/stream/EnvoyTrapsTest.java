// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import static dev.holdfast.controlplane.ads.TestResources.cluster;
import static dev.holdfast.controlplane.ads.TestResources.endpoints;
import static dev.holdfast.controlplane.ads.TestResources.extension;
import static dev.holdfast.controlplane.ads.TestResources.listener;
import static dev.holdfast.controlplane.ads.TestResources.routes;
import static dev.holdfast.controlplane.ads.TestResources.secret;
import static dev.holdfast.controlplane.snapshot.ResourceType.CLUSTER;
import static dev.holdfast.controlplane.snapshot.ResourceType.ENDPOINTS;
import static dev.holdfast.controlplane.snapshot.ResourceType.EXTENSION;
import static dev.holdfast.controlplane.snapshot.ResourceType.LISTENER;
import static dev.holdfast.controlplane.snapshot.ResourceType.ROUTES;
import static dev.holdfast.controlplane.snapshot.ResourceType.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.FakeXdsStream;
import dev.holdfast.controlplane.ads.ReceivedResponse;
import dev.holdfast.controlplane.ads.wire.Protocol;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Surprising behaviour of Envoy, trap by trap. */
class EnvoyTrapsTest {
  private final AdsHarness ads = new AdsHarness();

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void trap1TheGoodResourcesOfAPartlyRejectedResponseRun(Protocol protocol) {
    ads.serve(cluster("a", "1"), cluster("b", "bad"), cluster("c", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER);
    envoy.nack(envoy.next(), "Error adding/updating cluster(s) b: malformed");

    assertThat(ads.observed).contains("accepted envoy-1 Cluster 2", "rejected envoy-1 Cluster [b]");
    ads.serve(cluster("a", "2"));
    envoy.acceptAll();
    assertThat(envoy.running(CLUSTER).get("a")).isEqualTo(cluster("a", "2"));
    assertThat(envoy.running(CLUSTER).contains("b")).isFalse();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void trap2AResponseThatIsRejectedAsAWholeIsSentOneByOne(Protocol protocol) {
    ads.serve(cluster("a", "bad"), cluster("b", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER);
    envoy.nack(envoy.next(), "Proto constraint validation failed (x)");

    ReceivedResponse alone = envoy.next();
    assertThat(alone.bodies()).containsOnlyKeys("a");
    envoy.nack(alone, "Proto constraint validation failed (x)");
    envoy.acceptAll();

    assertThat(ads.observed).contains("rejected envoy-1 Cluster [a]", "accepted envoy-1 Cluster 1");
    ads.serve(cluster("c", "1"));
    assertThat(envoy.accept(CLUSTER).bodies()).containsKey("c").doesNotContainKey("a");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void trap3UnprovenContentTravelsAlone(Protocol protocol) {
    ads.serve(routes("x", "1"), routes("y", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).subscribe(ROUTES, "x", "y");

    assertThat(envoy.accept(ROUTES).bodies()).containsOnlyKeys("x");
    assertThat(envoy.accept(ROUTES).bodies()).containsOnlyKeys("y");
    FakeXdsStream second = ads.envoy(protocol, "envoy-2").subscribe(ROUTES, "x", "y");
    assertThat(second.accept(ROUTES).bodies()).containsOnlyKeys("x", "y");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void trap4ARejectedFirstRouteConfigurationIsReplacedAtOnce(Protocol protocol) {
    ads.serve(routes("x", "bad"));
    FakeXdsStream envoy = ads.envoy(protocol).subscribe(ROUTES, "x");
    envoy.nack(envoy.next(), "script load error");

    ReceivedResponse standIn = envoy.accept(ROUTES);
    assertThat(standIn.bodies().get("x")).isEqualTo(PlaceholderResources.routes("x").body());
    assertThat(envoy.isQuiet()).isTrue();
    ads.serve(routes("x", "good"));
    assertThat(envoy.accept(ROUTES).bodies().get("x")).isEqualTo(routes("x", "good").body());
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aRejectedFirstFilterIsReplacedByAPlaceholder(Protocol protocol) {
    ads.serve(extension("x", "bad"));
    FakeXdsStream envoy = ads.envoy(protocol).subscribe(EXTENSION, "x");
    assertThat(envoy.accept(EXTENSION).bodies().get("x"))
        .isEqualTo(PlaceholderResources.idleFilter("x").body());
    envoy.nack(envoy.next(), "script load error");

    assertThat(envoy.accept(EXTENSION).bodies().get("x"))
        .isEqualTo(PlaceholderResources.refusingFilter("x").body());
    assertThat(envoy.isQuiet()).isTrue();
    ads.serve(extension("x", "good"));
    assertThat(envoy.accept(EXTENSION).bodies().get("x")).isEqualTo(extension("x", "good").body());
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void trap4TheLastGoodVersionOfTheClassIsPreferredToAPlaceholder(Protocol protocol) {
    ads.serve(routes("x", "good"));
    ads.envoy(protocol).subscribe(ROUTES, "x").acceptAll();
    FakeXdsStream second = ads.envoy(protocol, "envoy-2");
    ads.serve(routes("x", "bad"));
    second.subscribe(ROUTES, "x");
    second.nack(second.next(), "no");

    assertThat(second.next().bodies().get("x")).isEqualTo(routes("x", "good").body());
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void trap5EndpointsAreSentWhileClustersAreInFlight(Protocol protocol) {
    ads.serve(cluster("a", "1"), endpoints("a", "1"), routes("x", "1", "a"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER);
    ReceivedResponse clusters = envoy.next();
    envoy.subscribe(ENDPOINTS, "a");
    assertThat(envoy.accept(ENDPOINTS).bodies()).containsOnlyKeys("a");
    envoy.subscribe(ROUTES, "x");
    assertThat(envoy.isQuiet()).as("routes wait for their cluster").isTrue();

    envoy.ack(clusters);

    assertThat(envoy.accept(ROUTES).bodies()).containsOnlyKeys("x");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void trap6OneResponseIsInFlightAndAStaleErrorIsNoRejection(Protocol protocol) {
    ads.serve(cluster("a", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER);
    ReceivedResponse first = envoy.accept(CLUSTER);
    ads.serve(cluster("a", "2"));
    ReceivedResponse second = envoy.next();
    ads.serve(cluster("a", "3"));
    ads.serve(cluster("a", "4"));
    assertThat(envoy.isQuiet()).isTrue();
    assertThat(second.version()).isNotEqualTo(first.version());

    if (protocol == Protocol.SOTW) {
      // Carries the version of the response it answers: accepted, whatever else it says.
      envoy.request(CLUSTER, second.nonce(), "an older error", Map.of(), second.version());
    } else {
      envoy.ack(second);
    }

    ReceivedResponse last = envoy.accept(CLUSTER);
    assertThat(last.bodies().get("a")).isEqualTo(cluster("a", "4").body());
    assertThat(ads.observed).noneMatch(line -> line.startsWith("rejected"));
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void trap7RejectedBytesAreNeverSentAgainAndTheLastGoodOnesAreSentBack(Protocol protocol) {
    ads.serve(secret("s", "good"), extension("e", "good"));
    FakeXdsStream envoy = ads.envoy(protocol).subscribe(SECRET, "s").subscribe(EXTENSION, "e");
    envoy.acceptAll();
    ads.serve(secret("s", "bad"));
    envoy.nack(envoy.next(), "Failed to load certificate chain from <inline>");
    assertThat(envoy.accept(SECRET).bodies().get("s")).isEqualTo(secret("s", "good").body());
    ads.serve(extension("e", "bad"));
    envoy.nack(envoy.next(), "no");
    assertThat(envoy.accept(EXTENSION).bodies().get("e")).isEqualTo(extension("e", "good").body());

    ads.serve(secret("s", "other")).serve(secret("s", "bad"));
    envoy.acceptAll();
    envoy.subscribe(SECRET, "s");
    while (!envoy.isQuiet()) {
      assertThat(envoy.accept(SECRET).bodies().get("s")).isNotEqualTo(secret("s", "bad").body());
    }
    assertThat(ads.server.stats(SECRET).suppressed()).isPositive();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void trap7ARejectedNewClusterIsRemoved(Protocol protocol) {
    ads.serve(cluster("a", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER).acceptAll();
    ads.serve(cluster("b", "maglev"));
    envoy.nack(
        envoy.next(),
        "Error adding/updating cluster(s) b: The table size of maglev must be prime number");

    ReceivedResponse back = envoy.accept(CLUSTER);
    if (protocol == Protocol.DELTA) {
      assertThat(back.removed()).containsExactly("b");
      assertThat(back.bodies()).isEmpty();
    } else {
      assertThat(back.bodies()).containsOnlyKeys("a");
    }
    assertThat(envoy.isQuiet()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void trap8AfterARejectionTheVersionThatTheProxyNamesIsNotTrusted(Protocol protocol) {
    ads.serve(cluster("a", "1"), cluster("b", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER);
    ReceivedResponse first = envoy.accept(CLUSTER);
    ads.serve(cluster("b", "bad"));
    envoy.nack(envoy.next(), "Error adding/updating cluster(s) b: no");
    envoy.acceptAll();
    envoy.close();

    FakeXdsStream again = ads.envoy(protocol);
    again.resume(
        CLUSTER,
        first.version(),
        Map.of("a", cluster("a", "1").version(), "b", cluster("b", "1").version()));
    while (!again.isQuiet()) {
      assertThat(again.accept(CLUSTER).bodies().values())
          .doesNotContain(cluster("b", "bad").body());
    }
    ads.serve(cluster("b", "2"));
    assertThat(again.accept(CLUSTER).bodies().get("b")).isEqualTo(cluster("b", "2").body());
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void trap9AnOverdueResponseBlocksNothing(Protocol protocol) {
    ads.serve(cluster("a", "1"), routes("x", "1", "a"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER).subscribe(ROUTES, "x");
    ReceivedResponse unanswered = envoy.next();
    assertThat(envoy.isQuiet()).isTrue();

    ads.advance(Duration.ofSeconds(21));

    assertThat(ads.observed).contains("silent envoy-1 Cluster");
    assertThat(envoy.accept(ROUTES).bodies()).containsOnlyKeys("x");
    envoy.ack(unanswered);
    assertThat(ads.observed).contains("accepted envoy-1 Cluster 1");
    ads.advance(Duration.ofSeconds(1));
    assertThat(ads.time.pending()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void trap10ANackIsNotAnsweredWithTheSameBytes(Protocol protocol) {
    ads.serve(routes("x", "good"));
    FakeXdsStream envoy = ads.envoy(protocol).subscribe(ROUTES, "x").acceptAll();
    ads.serve(routes("x", "bad"));
    ReceivedResponse bad = envoy.next();

    for (int i = 0; i < 100; i++) {
      envoy.nack(bad, "no");
    }

    assertThat(envoy.isQuiet()).isTrue();
    assertThat(ads.observed.stream().filter(line -> line.startsWith("rejected"))).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void trap11ATruncatedNackBlamesOnlyTheNamesInIt(Protocol protocol) {
    ads.serve(cluster("a", "1"), cluster("b", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER);
    envoy.nack(
        envoy.next(), "Error adding/updating cluster(s) a: " + "x".repeat(4096) + "...(truncated)");

    assertThat(ads.observed).contains("rejected envoy-1 Cluster [a]");
    envoy.acceptAll();
    assertThat(ads.observed.get(ads.observed.size() - 1)).isEqualTo("accepted envoy-1 Cluster 1");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void trap12TheNonceIdentifiesTheRejectedRoutes(Protocol protocol) {
    ads.serve(routes("x", "1"), routes("y", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).subscribe(ROUTES, "x", "y").acceptAll();
    ads.serve(routes("x", "2"), routes("y", "bad"));
    envoy.accept(ROUTES);
    envoy.nack(envoy.next(), "a text without any name");

    assertThat(ads.observed).contains("rejected envoy-1 RouteConfiguration [y]");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void trap13MissingRoutesAreNeverRemovedFromAnEnvoy(Protocol protocol) {
    FakeXdsStream envoy = ads.envoy(protocol).subscribe(ROUTES, "x");
    ReceivedResponse standIn = envoy.accept(ROUTES);
    assertThat(standIn.removed()).isEmpty();
    assertThat(standIn.bodies()).containsOnlyKeys("x");
    envoy.subscribe(EXTENSION, "e");
    assertThat(envoy.isQuiet()).isTrue();

    ads.serve(routes("x", "1"));
    envoy.accept(ROUTES);
    ads.stop(ROUTES, "x");
    while (!envoy.isQuiet()) {
      assertThat(envoy.accept(ROUTES).removed()).isEmpty();
    }
    assertThat(ads.envoy(protocol, "e2").all(LISTENER).next().bodies()).isEmpty();
    ads.serve(listener("l", "1"));
  }
}
