// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.ErrorTexts.assertError;
import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static dev.holdfast.xds.client.fixture.TestType.RDS;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.Behaviour;
import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.CacheEntry.Failure;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.ClientHarness.Watched;
import dev.holdfast.xds.client.transport.AdsProtocol;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a resource timer says, and what ends it: checklist section 3.5. */
class ResourceTimerTest {
  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C50 after 15 s the resource does not exist; a late one is delivered")
  void c50ResourceDoesNotExistAfter15Seconds(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(RDS, "foo");
      h.advanceSeconds(14.999);
      w.nothing();
      assertThat(h.state(RDS, "foo")).isEqualTo("requested");

      h.advanceSeconds(0.001);

      assertError(
          w.error(),
          NOT_FOUND,
          RDS,
          "foo",
          "does not exist",
          SERVER,
          "did not send it within 15 s");
      w.nothing();
      assertThat(h.state(RDS, "foo")).isEqualTo("does_not_exist");
      CacheEntry<?> entry = Objects.requireNonNull(h.dump(RDS, "foo"));
      assertThat(entry.resource()).isNull();
      Failure failure = Objects.requireNonNull(entry.failure());
      assertThat(failure.status().getDescription()).contains("does not exist");
      assertThat(failure.version()).isEmpty();
      assertThat(failure.time()).isNull();

      Watched late = h.watch(RDS, "foo");
      assertError(late.error(), NOT_FOUND, RDS, "foo", "did not send it within 15 s");
      late.nothing();

      h.respond(response(RDS).version("1").resource("foo", "one"));
      for (Watched each : List.of(w, late)) {
        assertThat(each.resource()).isEqualTo("one");
        each.nothing();
      }
      assertThat(h.state(RDS, "foo")).isEqualTo("acked");
      assertThat(Objects.requireNonNull(h.dump(RDS, "foo")).failure()).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C51 the feature without the switch changes nothing")
  void c51FeatureWithoutTheSwitch(AdsProtocol protocol) {
    try (ClientHarness h =
        new ClientHarness(
            ClientHarness.config(protocol, ServerFeature.RESOURCE_TIMER_IS_TRANSIENT_ERROR)
                .behaviour(ClientHarness.behaviour().withDataErrorHandling(false))
                .build())) {
      Watched w = h.watch(RDS, "foo");
      h.advanceSeconds(14.999);
      w.nothing();

      h.advanceSeconds(0.001);

      assertError(w.error(), NOT_FOUND, RDS, "foo", "does not exist", "15 s");
      assertThat(h.state(RDS, "foo")).isEqualTo("does_not_exist");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C52 with the feature: 30 s, UNAVAILABLE, timeout, and the server is named")
  void c52TransientTimer(AdsProtocol protocol) {
    try (ClientHarness h =
        ClientHarness.of(protocol, ServerFeature.RESOURCE_TIMER_IS_TRANSIENT_ERROR)) {
      Watched w = h.watch(RDS, "foo");
      h.advanceSeconds(29.999);
      w.nothing();
      assertThat(h.state(RDS, "foo")).isEqualTo("requested");

      h.advanceSeconds(0.001);

      assertError(
          w.error(), UNAVAILABLE, RDS, "foo", "timed out", SERVER, "did not send it within 30 s");
      assertThat(h.state(RDS, "foo")).isEqualTo("timeout");
      CacheEntry<?> entry = Objects.requireNonNull(h.dump(RDS, "foo"));
      assertThat(entry.state()).isEqualTo(CacheEntry.State.TIMEOUT);
      Failure failure = Objects.requireNonNull(entry.failure());
      assertThat(failure.version()).isEmpty();
      assertThat(failure.time()).isNull();

      Watched late = h.watch(RDS, "foo");
      assertError(late.error(), UNAVAILABLE, RDS, "foo", "timed out", SERVER);
      h.respond(response(RDS).resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      assertThat(late.resource()).isEqualTo("one");
    }
  }

  static Stream<Arguments> spellings() {
    return Stream.of("resource_timer_is_transient_error", "resource_timer_is_transient_failure")
        .flatMap(text -> Stream.of(AdsProtocol.values()).map(p -> Arguments.of(text, p)));
  }

  @ParameterizedTest
  @MethodSource("spellings")
  @DisplayName("H52 with either spelling and untouched defaults the timer is really 30 s")
  void h52ReallyThirtySeconds(String spelling, AdsProtocol protocol) {
    Behaviour untouched = Behaviour.fromEnvironment(Map.of());
    ServerFeature feature = ServerFeature.parse(spelling).orElseThrow();
    try (ClientHarness h =
        new ClientHarness(ClientHarness.config(protocol, feature).behaviour(untouched).build())) {
      Watched w = h.watch(LDS, "foo");
      h.advance(Duration.ofSeconds(30).minusNanos(1));
      w.nothing();

      h.advance(Duration.ofNanos(1));

      assertError(w.error(), UNAVAILABLE, LDS, "foo", "30 s");
      assertThat(h.state(LDS, "foo")).isEqualTo("timeout");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G51 a valid answer in time prevents it")
  void g51ValidAnswerInTime(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(RDS, "foo");
      h.advanceSeconds(14.9);

      h.respond(response(RDS).resource("foo", "one"));
      h.advanceSeconds(60);

      assertThat(w.resource()).isEqualTo("one");
      w.nothing();
      assertThat(h.state(RDS, "foo")).isEqualTo("acked");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G51 expiry sets the state and calls the watcher, each name at its own time")
  void g51EachNameAtItsOwnTime(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched first = h.watchLater(RDS, "first");
      Watched second = h.watch(RDS, "second"); // leaves in the same request
      h.advanceSeconds(10);
      Watched third = h.watch(RDS, "third");
      h.respond(response(RDS).resource("second", "one"));
      assertThat(second.resource()).isEqualTo("one");

      h.advanceSeconds(5);
      assertError(first.error(), NOT_FOUND, RDS, "first", "15 s");
      third.nothing();
      h.advanceSeconds(10);
      assertError(third.error(), NOT_FOUND, RDS, "third", "15 s");

      h.advanceSeconds(60); // a timer that fired does not run again on this stream
      first.nothing();
      second.nothing();
      third.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G51 a rejection ends the timer; a sibling's subscription does not start it again")
  void g51RejectionEndsTheTimer(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(RDS, "foo");
      h.advanceSeconds(5);
      h.respond(response(RDS).resource("foo", "bad:wrong"));
      assertError(w.error(), INVALID_ARGUMENT, RDS, "foo", "wrong");

      h.watch(RDS, "sibling");
      h.advanceSeconds(60);

      w.nothing();
      assertThat(h.state(RDS, "foo")).isEqualTo("nacked");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H50 a rejected entry without a name is no answer: the timer still fires")
  void h50TimerOfANamelessRejectionFires(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(RDS, "foo");
      h.stream().skipRequests();

      h.respond(response(RDS).garbage());
      assertThat(h.stream().request().isNack()).isTrue();
      w.nothing();

      h.advanceSeconds(15);
      assertError(w.error(), NOT_FOUND, RDS, "foo", "did not send it within 15 s");
      assertThat(h.state(RDS, "foo")).isEqualTo("does_not_exist");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H51 a timer that was on its way when the resource came does nothing")
  void h51TimerBehindTheResource(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watchLater(RDS, "foo");
      Watched slower = h.watch(RDS, "bar"); // on the same timer
      h.stream().deliver(response(RDS).resource("foo", "one").build(protocol));
      h.time.advance(Duration.ofSeconds(15)); // behind the response, before either is handled
      h.settle();

      assertThat(w.resource()).isEqualTo("one");
      w.nothing();
      assertThat(h.state(RDS, "foo")).isEqualTo("acked");
      assertError(slower.error(), NOT_FOUND, RDS, "bar", "15 s");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H51 a timer just before the resource: the watcher ends up with the resource")
  void h51TimerBeforeTheResource(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(RDS, "foo");
      h.time.advance(Duration.ofSeconds(15));
      h.stream().deliver(response(RDS).resource("foo", "one").build(protocol));
      h.settle();

      assertError(w.error(), NOT_FOUND, RDS, "foo", "15 s");
      assertThat(w.resource()).isEqualTo("one");
      w.nothing();
      assertThat(h.state(RDS, "foo")).isEqualTo("acked");
    }
  }
}
