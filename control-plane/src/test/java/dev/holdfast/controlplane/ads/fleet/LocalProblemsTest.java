// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.fleet;

import static dev.holdfast.controlplane.ads.TestResources.listener;
import static dev.holdfast.controlplane.ads.TestResources.owner;
import static dev.holdfast.controlplane.ads.TestResources.routes;
import static dev.holdfast.controlplane.snapshot.ResourceType.CLUSTER;
import static dev.holdfast.controlplane.snapshot.ResourceType.LISTENER;
import static dev.holdfast.controlplane.snapshot.ResourceType.ROUTES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.FakeXdsStream;
import dev.holdfast.controlplane.ads.ReceivedResponse;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.snapshot.Resource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rejections that are due to the proxy's machine: the same bytes are retried. */
class LocalProblemsTest {
  private static final String TAKEN =
      "Error adding/updating listener(s) a: cannot bind '0.0.0.0:80': Address already in use\n";

  private final AdsHarness ads = new AdsHarness();

  private static PartStatus status(AdsHarness ads, Resource resource) {
    PartStatus[] found = new PartStatus[1];
    ads.run(
        () ->
            found[0] =
                ProxyGroups.of(ads.server, node -> true)
                    .groups()
                    .iterator()
                    .next()
                    .status(resource.id(), owner(resource.name()), resource.version()));
    return found[0];
  }

  private static Verdict verdict(AdsHarness ads, String node) {
    @Nullable Verdict[] found = new Verdict[1];
    ads.run(() -> found[0] = new ConnectedFleet(ads.server, () -> {}).verdict(node, it -> false));
    Verdict verdict = found[0];
    if (verdict == null) {
      throw new AssertionError("none");
    }
    return verdict;
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void theSameBytesAreSentAgainUntilTheProxyCanRunThem(Protocol protocol) {
    ads.serve(listener("a", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(LISTENER);
    for (int i = 0; i < 9; i++) {
      envoy.nack(envoy.next(), TAKEN);
      Duration wait = ads.retries.get(i);
      ads.advance(wait.minusMillis(1));
      assertThat(envoy.isQuiet()).as("try %s", i).isTrue();
      ads.advance(Duration.ofMillis(1));
    }

    ReceivedResponse last = envoy.accept(LISTENER);
    assertThat(last.bodies().get("a")).isEqualTo(listener("a", "1").body());
    assertThat(envoy.running(LISTENER).contains("a")).isTrue();
    ads.advance(Duration.ofMinutes(10));
    assertThat(envoy.isQuiet()).isTrue();
    assertThat(ads.time.pending()).isEmpty();
    for (int i = 0; i < 9; i++) {
      double plain = Math.min(60, 1 << i);
      assertThat(ads.retries.get(i).toNanos() / 1e9)
          .as("try %s", i)
          .isBetween(0.8 * plain, Math.min(60, 1.2 * plain));
    }
    assertThat(ads.server.stats(LISTENER).unableByClass().values()).containsExactly(9L);
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aLocalProblemIsNeitherARejectionNorARefusalVerdict(Protocol protocol) {
    ads.serve(listener("a", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(LISTENER);
    envoy.nack(envoy.next(), TAKEN);

    assertThat(ads.observed)
        .contains("unable envoy-1 Listener/a: cannot bind '0.0.0.0:80': Address already in use")
        .noneMatch(line -> line.startsWith("rejected"));
    assertThat(verdict(ads, "envoy-1")).isNotInstanceOf(Verdict.Refused.class);
    assertThat(status(ads, listener("a", "1")))
        .isEqualTo(
            new PartStatus.Unable(
                listener("a", "1").id(), "cannot bind '0.0.0.0:80': Address already in use"));
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void eachListenerIsJudgedByItsOwnPartOfTheErrorText(Protocol protocol) {
    ads.serve(listener("a", "1"), listener("b", "bad"), listener("c", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(LISTENER);
    envoy.nack(
        envoy.next(),
        """
        Error adding/updating listener(s) a: cannot bind '0.0.0.0:80': Permission denied
        b: Didn't find a registered implementation for 'x'
        """);

    assertThat(ads.observed)
        .contains(
            "unable envoy-1 Listener/a: cannot bind '0.0.0.0:80': Permission denied",
            "rejected envoy-1 Listener [b]");
    envoy.acceptAll();
    ads.advance(Duration.ofSeconds(2));
    ReceivedResponse again = envoy.accept(LISTENER);
    assertThat(again.bodies()).containsKey("a").doesNotContainKey("b");
    assertThat(envoy.running(LISTENER).contains("c")).isTrue();
  }

  /** An author could make a proxy say some of these. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "script load error: [string \"...\"]:1: cannot bind 'x': Permission denied",
        "unable to read file: /no/such.lua",
        "cannot bind 'x': Permission denied"
      })
  void aRejectionOfAuthoredContentIsNeverALocalProblem(String message) {
    ads.serve(routes("x", "bad"));
    FakeXdsStream envoy = ads.envoy(Protocol.DELTA).subscribe(ROUTES, "x");
    envoy.nack(envoy.next(), message);

    assertThat(ads.observed).contains("rejected envoy-1 RouteConfiguration [x]");
    envoy.acceptAll();
    ads.advance(Duration.ofMinutes(5));
    assertThat(envoy.isQuiet()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void anotherVersionIsSentAtOnce(Protocol protocol) {
    ads.serve(listener("a", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(LISTENER);
    envoy.nack(envoy.next(), TAKEN);

    ads.serve(listener("a", "2"));
    assertThat(envoy.accept(LISTENER).bodies().get("a")).isEqualTo(listener("a", "2").body());
    ads.advance(Duration.ofMinutes(5));
    assertThat(envoy.isQuiet()).isTrue();
    assertThat(ads.time.pending()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aReconnectedProxyIsRetriedAtOnce(Protocol protocol) {
    ads.serve(listener("a", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(LISTENER);
    envoy.nack(envoy.next(), TAKEN);
    ads.advance(Duration.ofMillis(1500));
    envoy.nack(envoy.next(), TAKEN);
    envoy.close();
    assertThat(ads.time.pending()).allMatch(delay -> delay.compareTo(Duration.ofSeconds(1)) <= 0);

    FakeXdsStream back = ads.envoy(protocol).all(LISTENER);

    assertThat(back.accept(LISTENER).bodies()).containsOnlyKeys("a");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void routesBehindAListenerWithALocalProblemAreUnable(Protocol protocol) {
    ads.serve(listener("a", "1"), routes("x", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER);
    envoy.acceptAll();
    envoy.all(LISTENER);
    envoy.nack(envoy.next(), TAKEN);
    envoy.acceptAll();

    assertThat(status(ads, routes("x", "1"))).isInstanceOf(PartStatus.Unable.class);
  }

  /** A blocked stream may settle without an ACK or NACK. */
  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aTypeThatSettlesWithoutAResponseIsReported(Protocol protocol) {
    ads.serve(routes("x", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).subscribe(ROUTES, "x");
    envoy.acceptAll();
    envoy.ready = false;
    ads.serve(routes("x", "2")).serve(routes("x", "1"));
    ads.observed.clear();

    envoy.becomeReady();

    assertThat(envoy.isQuiet()).isTrue();
    assertThat(ads.observed).hasSize(1).allMatch(text -> text.startsWith("settled "));
  }
}
