// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import static dev.holdfast.controlplane.ads.TestResources.cluster;
import static dev.holdfast.controlplane.ads.TestResources.routes;
import static dev.holdfast.controlplane.snapshot.ResourceType.CLUSTER;
import static dev.holdfast.controlplane.snapshot.ResourceType.ROUTES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.FakeXdsStream;
import dev.holdfast.controlplane.ads.ReceivedResponse;
import dev.holdfast.controlplane.ads.wire.Protocol;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A proxy that rejects one response after the other. */
class NackLoopTest {
  private static final int MANY = 200;

  private final AdsHarness ads = new AdsHarness();

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aColdProxyThatRefusesEverythingGetsFewResponses(Protocol protocol) {
    serveMany();
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER);

    int atOnce = nackAll(envoy, new HashSet<>());
    assertThat(atOnce).isEqualTo(NackBackoff.FREE + 1);
    int inAMinute = 0;
    for (int second = 0; second < 60; second++) {
      ads.advance(Duration.ofSeconds(1));
      inAMinute += nackAll(envoy, new HashSet<>());
    }
    assertThat(inAMinute).isBetween(4, 6);
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void noContentIsSentTwice(Protocol protocol) {
    FakeXdsStream other = ads.envoy(protocol, "envoy-0").all(CLUSTER);
    IntStream.range(0, 20).forEach(i -> ads.serve(cluster("c" + i, "1")));
    other.acceptAll(); // so that all of them are proven
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER);
    Set<List<Object>> seen = new HashSet<>();

    for (int second = 0; second < 3600; second++) {
      nackAll(envoy, seen);
      ads.advance(Duration.ofSeconds(1));
    }
    assertThat(envoy.isQuiet()).isTrue();
    assertThat(seen).as("all together, and each one alone").hasSizeGreaterThan(20);
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aChangeOrAnAckEndsTheWait(Protocol protocol) {
    serveMany();
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER);
    nackAll(envoy, new HashSet<>());

    ads.serve(cluster("a", "1"));
    ReceivedResponse next = envoy.next();
    envoy.ack(next);
    int more = nackAll(envoy, new HashSet<>());
    assertThat(more).as("it counts anew").isGreaterThanOrEqualTo(NackBackoff.FREE);
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void otherTypesDoNotWait(Protocol protocol) {
    serveMany();
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER);
    nackAll(envoy, new HashSet<>());

    ads.serve(routes("r", "1"));
    envoy.subscribe(ROUTES, "r");
    assertThat(envoy.accept(ROUTES).bodies()).containsOnlyKeys("r");
  }

  private void serveMany() {
    for (int i = 0; i < MANY; i++) {
      ads.snapshot = ads.snapshot.with(cluster("c" + i, "1"));
    }
    ads.publish();
  }

  /** Rejects what comes, without a hint; returns how much came, none of which came before. */
  private static int nackAll(FakeXdsStream envoy, Set<List<Object>> seen) {
    int count = 0;
    while (!envoy.isQuiet()) {
      ReceivedResponse reply = envoy.next();
      assertThat(seen.add(List.of(reply.bodies(), reply.removed())))
          .as("%s, removed %s", reply.bodies().keySet(), reply.removed())
          .isTrue();
      envoy.nack(reply, "no");
      count++;
    }
    return count;
  }
}
