// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.ErrorTexts.assertError;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static dev.holdfast.xds.client.fixture.TestType.RDS;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.PERMISSION_DENIED;
import static io.grpc.Status.Code.UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.ClientHarness.Watched;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A server's error stands until the server says something else: absence is not something else. */
class RememberedServerErrorsTest {
  static Stream<Arguments> cachedFlagCode() {
    return Stream.of(true, false)
        .flatMap(
            cached ->
                Stream.of(List.<ServerFeature>of(), List.of(ServerFeature.FAIL_ON_DATA_ERRORS))
                    .flatMap(
                        features ->
                            Stream.of(NOT_FOUND, PERMISSION_DENIED, UNAVAILABLE)
                                .map(code -> Arguments.of(cached, features, code))));
  }

  @ParameterizedTest
  @MethodSource("cachedFlagCode")
  @DisplayName("X34 an error in a response that omits the resource is not a deletion")
  void x34ErrorIsNotADeletion(boolean cached, List<ServerFeature> features, Status.Code code) {
    try (ClientHarness h = ClientHarness.sotw(features.toArray(new ServerFeature[0]))) {
      Watched foo = watchWithSibling(h, cached);

      h.respond(response(LDS).version("2").resource("bar", "one").error("foo", code, "because"));

      boolean dropped = !features.isEmpty() && code != UNAVAILABLE;
      boolean ambient = cached && !dropped;
      assertError(ambient ? foo.ambient() : foo.error(), code, LDS, "foo", "because");
      foo.nothing();
      assertThat(h.state(LDS, "foo"))
          .isEqualTo(ambient ? "received_error_but_cached" : "received_error");
    }
  }

  @ParameterizedTest
  @MethodSource("cachedFlagCode")
  @DisplayName("H30 omission after an error keeps the error, cached or not, flag or not")
  void h30OmissionKeepsTheError(boolean cached, List<ServerFeature> features, Status.Code code) {
    try (ClientHarness h = ClientHarness.sotw(features.toArray(new ServerFeature[0]))) {
      Watched foo = watchWithSibling(h, cached);
      h.respond(response(LDS).version("2").resource("bar", "one").error("foo", code, "because"));
      String state = h.state(LDS, "foo");
      CacheEntry<?> before = Objects.requireNonNull(h.dump(LDS, "foo"));
      boolean ambient = before.resource() != null;
      assertError(ambient ? foo.ambient() : foo.error(), code, LDS, "foo", "because");

      h.respond(response(LDS).version("3").resource("bar", "one"));
      h.respond(response(LDS).version("4").resource("bar", "two"));

      foo.nothing();
      assertThat(h.state(LDS, "foo")).isEqualTo(state);
      assertThat(h.dump(LDS, "foo")).isEqualTo(before);
      Watched late = h.watch(LDS, "foo");
      if (ambient) {
        assertThat(late.resource()).isEqualTo("one");
      }
      assertError(ambient ? late.ambient() : late.error(), code, LDS, "foo", "because");
      late.nothing();
    }
  }

  /** Watches foo, and bar so that responses without foo are not empty. */
  private static Watched watchWithSibling(ClientHarness h, boolean cached) {
    Watched foo = h.watch(LDS, "foo");
    h.watch(LDS, "bar");
    if (cached) {
      h.respond(response(LDS).version("1").resource("foo", "one").resource("bar", "one"));
      assertThat(foo.resource()).isEqualTo("one");
    }
    return foo;
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H36 a server that repeats its error on each new stream is told of once")
  void h36RepeatedErrorIsToldOnce(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched foo = h.watch(LDS, "foo");
      Watched bar = h.watch(LDS, "bar");
      h.respond(
          response(LDS).version("1").resource("bar", "one").error("foo", NOT_FOUND, "no foo"));
      assertError(foo.error(), NOT_FOUND, LDS, "foo", "no foo");
      assertThat(bar.resource()).isEqualTo("one");
      h.closeStream(Status.OK);
      h.advanceSeconds(1);
      assertThat(h.stream().request().names()).containsExactly("bar", "foo");

      h.respond(
          response(LDS).version("1").resource("bar", "one").error("foo", NOT_FOUND, "no foo"));
      h.advanceSeconds(60);

      foo.nothing();
      bar.nothing();
      assertThat(h.state(LDS, "foo")).isEqualTo("received_error");
      assertThat(h.state(LDS, "bar")).isEqualTo("acked");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("X35 an error stops the timer")
  void x35ErrorStopsTheTimer(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(RDS, "foo");
      h.advanceSeconds(14);

      h.respond(response(RDS).error("foo", UNAVAILABLE, "one moment"));

      assertError(w.error(), UNAVAILABLE, RDS, "foo", "one moment");
      h.watch(RDS, "sibling"); // must not start it again
      h.advanceSeconds(60);
      w.nothing();
      assertThat(h.state(RDS, "foo")).isEqualTo("received_error");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("X35 an error that comes after the timer fired takes its place")
  void x35ErrorAfterTheTimerTakesItsPlace(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(RDS, "foo");
      h.advanceSeconds(15);
      assertError(w.error(), NOT_FOUND, RDS, "foo", "did not send it within 15 s");

      h.respond(response(RDS).version("1").error("foo", PERMISSION_DENIED, "not yours"));

      Status error = w.error();
      assertError(error, PERMISSION_DENIED, RDS, "foo", "not yours");
      assertThat(error.getDescription()).doesNotContain("15 s");
      w.nothing();
      assertThat(h.state(RDS, "foo")).isEqualTo("received_error");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H33 an error that comes before its subscription has left: no timer afterwards")
  void h33ErrorBeforeTheSubscriptionLeft(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.servers.autoSend(false);
      Watched w = h.watch(RDS, "foo");
      assertThat(h.stream().isSendPending()).isTrue();

      h.respond(response(RDS).error("foo", UNAVAILABLE, "one moment"));
      assertError(w.error(), UNAVAILABLE, RDS, "foo", "one moment");
      h.stream().sent();
      h.settle();

      h.advanceSeconds(120);
      w.nothing();
      assertThat(h.state(RDS, "foo")).isEqualTo("received_error");
    }
  }

  static Stream<Arguments> slowOrNot() {
    return Stream.of(AdsProtocol.values())
        .flatMap(protocol -> Stream.of(true, false).map(slow -> Arguments.of(protocol, slow)));
  }

  @ParameterizedTest
  @MethodSource("slowOrNot")
  @DisplayName("X37 on a new stream with a silent server the timer runs; the reason stays readable")
  void x37TimerRunsAgainOnANewStream(AdsProtocol protocol, boolean slow) {
    ServerFeature[] features =
        slow
            ? new ServerFeature[] {ServerFeature.RESOURCE_TIMER_IS_TRANSIENT_ERROR}
            : new ServerFeature[0];
    try (ClientHarness h = ClientHarness.of(protocol, features)) {
      Watched w = h.watch(RDS, "foo");
      h.respond(response(RDS).error("foo", PERMISSION_DENIED, "not yours"));
      assertError(w.error(), PERMISSION_DENIED, RDS, "foo", "not yours");
      h.closeStream(Status.OK);
      h.advanceSeconds(1);
      assertThat(h.stream().request().names()).containsExactly("foo");

      h.advanceSeconds(slow ? 29.9 : 14.9);
      w.nothing();
      assertThat(h.state(RDS, "foo")).isEqualTo("received_error");
      h.advanceSeconds(0.1);

      assertError(
          w.error(),
          slow ? UNAVAILABLE : NOT_FOUND,
          RDS,
          "foo",
          slow ? "timed out" : "does not exist",
          "not yours");
      w.nothing();
      assertThat(h.state(RDS, "foo")).isEqualTo(slow ? "timeout" : "does_not_exist");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("X37 with a cached resource no timer runs on the new stream")
  void x37NoTimerWithACachedResource(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(RDS, "foo");
      h.respond(response(RDS).resource("foo", "one"));
      h.respond(response(RDS).error("foo", NOT_FOUND, "gone"));
      assertThat(w.resource()).isEqualTo("one");
      assertError(w.ambient(), NOT_FOUND, RDS, "foo", "gone");
      h.closeStream(Status.OK);

      h.advanceSeconds(60);

      w.nothing();
      assertThat(h.state(RDS, "foo")).isEqualTo("received_error_but_cached");
    }
  }
}
