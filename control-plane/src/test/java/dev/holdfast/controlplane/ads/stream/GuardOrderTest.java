// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import static dev.holdfast.controlplane.ads.TestResources.enabling;
import static dev.holdfast.controlplane.ads.TestResources.extension;
import static dev.holdfast.controlplane.ads.TestResources.filtering;
import static dev.holdfast.controlplane.ads.TestResources.filters;
import static dev.holdfast.controlplane.ads.TestResources.routes;
import static dev.holdfast.controlplane.snapshot.ResourceType.EXTENSION;
import static dev.holdfast.controlplane.snapshot.ResourceType.LISTENER;
import static dev.holdfast.controlplane.snapshot.ResourceType.ROUTES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.FakeXdsStream;
import dev.holdfast.controlplane.ads.wire.Protocol;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** At no time does a proxy have routes that enable a filter, and no such filter. */
class GuardOrderTest {
  private final AdsHarness ads = new AdsHarness();

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void routesWaitForTheFilterThatTheyEnable(Protocol protocol) {
    ads.serve(filtering("l", "x"), extension("x", "1"), enabling("r", "1", "x"));
    FakeXdsStream envoy = ads.envoy(protocol).all(LISTENER);
    assertThat(envoy.accept(LISTENER).bodies()).containsOnlyKeys("l");
    envoy.subscribe(ROUTES, "r");
    assertThat(envoy.isQuiet()).as("routes before the filter").isTrue();
    envoy.subscribe(EXTENSION, "x");
    envoy.accept(EXTENSION);
    assertThat(envoy.accept(EXTENSION).bodies().get("x")).isEqualTo(extension("x", "1").body());

    assertThat(envoy.accept(ROUTES).bodies()).containsOnlyKeys("r");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aProxyThatRejectsTheFilterRefusesTheRequestsOfItsRoutes(Protocol protocol) {
    ads.serve(filtering("l", "x"), extension("x", "1"), enabling("r", "1", "x"));
    FakeXdsStream envoy = ads.envoy(protocol).all(LISTENER);
    envoy.accept(LISTENER);
    envoy.subscribe(ROUTES, "r");
    envoy.subscribe(EXTENSION, "x");
    envoy.accept(EXTENSION);
    envoy.nack(envoy.next(), "no");

    assertThat(envoy.accept(EXTENSION).bodies().get("x"))
        .isEqualTo(PlaceholderResources.refusingFilter("x").body());
    assertThat(envoy.accept(ROUTES).bodies()).containsOnlyKeys("r");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void theOldFilterStaysInTheListenerUntilTheRoutesEnableTheNewOne(Protocol protocol) {
    FakeXdsStream envoy = guarded(protocol);
    ads.serve(filtering("l", "y"), extension("y", "1"), enabling("r", "2", "y"));

    assertThat(filters(envoy.accept(LISTENER).bodies().get("l")))
        .containsExactlyInAnyOrder("x", "y", "router");
    envoy.subscribe(EXTENSION, "x", "y");
    envoy.accept(EXTENSION);
    envoy.accept(EXTENSION);
    assertThat(envoy.accept(ROUTES).bodies()).containsOnlyKeys("r");
    assertThat(filters(envoy.accept(LISTENER).bodies().get("l"))).containsExactly("y", "router");
    assertThat(envoy.isQuiet()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aFilterLeavesTheListenerAfterTheRoutesThatEnableIt(Protocol protocol) {
    FakeXdsStream envoy = guarded(protocol);
    ads.serve(filtering("l"), routes("r", "2"));

    assertThat(envoy.accept(ROUTES).bodies()).containsOnlyKeys("r");
    assertThat(filters(envoy.accept(LISTENER).bodies().get("l"))).containsExactly("router");
    assertThat(envoy.isQuiet()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aProxyThatRejectsTheListenerWithBothFiltersKeepsTheOldOneAndIsSentNothingMore(
      Protocol protocol) {
    FakeXdsStream envoy = guarded(protocol);
    ads.serve(filtering("l", "y"), extension("y", "1"));

    envoy.nack(envoy.next(), "Error adding/updating listener(s) l: no");

    while (!envoy.isQuiet()) { // in SotW, what replaces the rejected one: the listener as it is
      assertThat(filters(envoy.accept(LISTENER).bodies().get("l"))).containsExactly("x", "router");
    }
    assertThat(ads.observed).contains("rejected envoy-1 Listener [l, l]");
    ads.advance(Duration.ofMinutes(5));
    assertThat(envoy.isQuiet()).isTrue();
  }

  /** On the way to each of the two, it would get x, z and y. */
  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aListenerThatItRejectedOnTheWayToOneIsNotSentOnTheWayToAnother(Protocol protocol) {
    FakeXdsStream envoy = guarded(protocol, "x", "z");
    ads.serve(filtering("l", "z", "y"), extension("y", "1"));
    envoy.nack(envoy.next(), "Error adding/updating listener(s) l: no");
    while (!envoy.isQuiet()) {
      envoy.accept(LISTENER);
    }

    ads.serve(filtering("l", "y"));

    while (!envoy.isQuiet()) {
      assertThat(filters(envoy.accept(LISTENER).bodies().get("l")))
          .containsExactly("x", "z", "router");
    }
  }

  private FakeXdsStream guarded(Protocol protocol) {
    return guarded(protocol, "x");
  }

  private FakeXdsStream guarded(Protocol protocol, String... filters) {
    ads.serve(filtering("l", filters), enabling("r", "1", "x"));
    List.of(filters).forEach(filter -> ads.serve(extension(filter, "1")));
    FakeXdsStream envoy = ads.envoy(protocol).all(LISTENER);
    envoy.accept(LISTENER);
    envoy.subscribe(EXTENSION, filters).subscribe(ROUTES, "r").acceptAll();
    return envoy;
  }
}
