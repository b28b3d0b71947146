// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.ErrorTexts.assertError;
import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.CDS;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.PERMISSION_DENIED;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;
import static io.grpc.Status.Code.UNAVAILABLE;
import static io.grpc.Status.Code.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.CacheEntry.Failure;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.ClientHarness.Watched;
import dev.holdfast.xds.client.fixture.Request;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Errors that the server sends in place of resources (xRFC TP3): checklist section 3.3. */
class ServerErrorsTest {
  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C30 an error, then a good resource, then an error again that is ambient")
  void c30ErrorThenResourceThenAmbientError(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(LDS, "foo");
      h.stream().skipRequests();

      h.respond(response(LDS).version("1").nonce("A").error("foo", PERMISSION_DENIED, "not yours"));

      assertError(w.error(), PERMISSION_DENIED, LDS, "foo", "not yours");
      w.nothing();
      Request ack = h.stream().request();
      assertThat(ack.isNack()).isFalse();
      assertThat(ack.nonce()).isEqualTo("A");
      assertThat(ack.version()).isEqualTo(protocol == AdsProtocol.SOTW ? "1" : "");
      assertThat(h.state(LDS, "foo")).isEqualTo("received_error");
      assertThat(h.observer.invalid(SERVER, LDS)).isEqualTo(1);
      assertThat(h.observer.valid(SERVER, LDS)).isZero();
      CacheEntry<?> entry = Objects.requireNonNull(h.dump(LDS, "foo"));
      assertThat(entry.resource()).isNull();
      expectFailure(entry, PERMISSION_DENIED, "not yours", "1", h);
      Watched late = h.watch(LDS, "foo");
      assertError(late.error(), PERMISSION_DENIED, LDS, "foo", "not yours");
      late.nothing();

      h.advanceSeconds(1);
      h.respond(response(LDS).version("2").nonce("B").resource("foo", "one"));

      for (Watched each : List.of(w, late)) {
        assertThat(each.resource()).isEqualTo("one");
        each.nothing();
      }
      assertThat(h.state(LDS, "foo")).isEqualTo("acked");
      assertThat(Objects.requireNonNull(h.dump(LDS, "foo")).failure()).isNull();
      assertThat(h.observer.valid(SERVER, LDS)).isEqualTo(1);

      h.advanceSeconds(1);
      h.respond(response(LDS).version("3").nonce("C").error("foo", NOT_FOUND, "gone"));

      for (Watched each : List.of(w, late)) {
        assertError(each.ambient(), NOT_FOUND, LDS, "foo", "gone");
        each.nothing();
      }
      assertThat(h.state(LDS, "foo")).isEqualTo("received_error_but_cached");
      assertThat(h.observer.invalid(SERVER, LDS)).isEqualTo(2);
      CacheEntry<?> both = Objects.requireNonNull(h.dump(LDS, "foo"));
      CacheEntry.Cached<?> kept = Objects.requireNonNull(both.resource());
      assertThat(kept.version()).isEqualTo("2");
      assertThat(kept.updated()).isEqualTo(h.time.now().minusSeconds(1));
      expectFailure(both, NOT_FOUND, "gone", "3", h);
    }
  }

  private static void expectFailure(
      CacheEntry<?> entry, Status.Code code, String text, String version, ClientHarness h) {
    Failure failure = Objects.requireNonNull(entry.failure());
    assertThat(failure.status().getCode()).isEqualTo(code);
    assertThat(failure.status().getDescription()).contains(text);
    assertThat(failure.version()).isEqualTo(version);
    assertThat(failure.time()).isEqualTo(h.time.now());
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C31 with fail_on_data_errors the error drops the resource")
  void c31ErrorDropsTheResource(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol, ServerFeature.FAIL_ON_DATA_ERRORS)) {
      Watched w = h.watch(LDS, "foo");
      h.respond(response(LDS).version("1").error("foo", NOT_FOUND, "not yet"));
      assertError(w.error(), NOT_FOUND, LDS, "foo", "not yet");
      h.respond(response(LDS).version("2").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");

      h.respond(response(LDS).version("3").error("foo", PERMISSION_DENIED, "no more"));

      assertError(w.error(), PERMISSION_DENIED, LDS, "foo", "no more");
      w.nothing();
      assertThat(h.state(LDS, "foo")).isEqualTo("received_error");
      CacheEntry<?> entry = Objects.requireNonNull(h.dump(LDS, "foo"));
      assertThat(entry.resource()).isNull();
      expectFailure(entry, PERMISSION_DENIED, "no more", "3", h);
      Watched late = h.watch(LDS, "foo");
      assertError(late.error(), PERMISSION_DENIED, LDS, "foo", "no more");
      late.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C32 switched off, errors are ignored and acknowledged, even malformed ones")
  void c32SwitchedOffErrorsAreIgnored(AdsProtocol protocol) {
    try (ClientHarness h =
        new ClientHarness(
            ClientHarness.config(protocol, ServerFeature.FAIL_ON_DATA_ERRORS)
                .behaviour(ClientHarness.behaviour().withDataErrorHandling(false))
                .build())) {
      Watched w = h.watch(LDS, "foo");
      h.stream().skipRequests();

      h.respond(
          response(LDS)
              .version("1")
              .nonce("A")
              .error("foo", NOT_FOUND, "gone")
              .error("", NOT_FOUND, "malformed"));

      w.nothing();
      Request ack = h.stream().request();
      assertThat(ack.isNack()).isFalse();
      assertThat(ack.nonce()).isEqualTo("A");
      assertThat(h.state(LDS, "foo")).isEqualTo("requested");
      assertThat(h.observer.invalid(SERVER, LDS)).isZero();

      h.advanceSeconds(15); // so the timer still decides
      assertError(w.error(), NOT_FOUND, LDS, "foo", "does not exist");
      assertThat(h.state(LDS, "foo")).isEqualTo("does_not_exist");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("X31 an error for a name that is not watched is ignored and acknowledged")
  void x31ErrorForUnwatchedNameIsIgnored(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(LDS, "foo");
      h.stream().skipRequests();

      h.respond(response(LDS).nonce("A").error("bar", NOT_FOUND, "no bar"));

      w.nothing();
      Request ack = h.stream().request();
      assertThat(ack.isNack()).isFalse();
      assertThat(ack.nonce()).isEqualTo("A");
      assertThat(h.state(LDS, "foo")).isEqualTo("requested");
      assertThat(h.state(LDS, "bar")).isEqualTo("not shown");
      assertThat(h.observer.invalid(SERVER, LDS)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("X32 a code that does not exist is a transient error with the server's text")
  void x32UnknownCodeIsTransient(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol, ServerFeature.FAIL_ON_DATA_ERRORS)) {
      Watched w = h.watch(CDS, "foo");
      h.respond(response(CDS).resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.stream().skipRequests();

      h.respond(response(CDS).error("foo", 99, "strange days").error("foo", -1, "strange days"));

      assertError(w.ambient(), UNKNOWN, CDS, "foo", "strange days");
      w.nothing();
      assertThat(h.stream().request().isNack()).isFalse();
      assertThat(h.state(CDS, "foo")).isEqualTo("received_error_but_cached");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("X33 resource and error of one name: the resource first, the error last")
  void x33ResourceFirstErrorLast(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(LDS, "foo");

      h.respond(response(LDS).version("7").error("foo", NOT_FOUND, "going").resource("foo", "one"));

      assertThat(w.resource()).isEqualTo("one");
      assertError(w.ambient(), NOT_FOUND, LDS, "foo", "going");
      w.nothing();
      assertThat(h.state(LDS, "foo")).isEqualTo("received_error_but_cached");
      assertThat(
              Objects.requireNonNull(Objects.requireNonNull(h.dump(LDS, "foo")).resource())
                  .version())
          .isEqualTo("7");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("X33 with fail_on_data_errors the error then takes the resource away again")
  void x33ErrorLastDrops(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol, ServerFeature.FAIL_ON_DATA_ERRORS)) {
      Watched w = h.watch(LDS, "foo");

      h.respond(response(LDS).error("foo", NOT_FOUND, "going").resource("foo", "one"));

      assertThat(w.resource()).isEqualTo("one");
      assertError(w.error(), NOT_FOUND, LDS, "foo", "going");
      w.nothing();
      assertThat(h.state(LDS, "foo")).isEqualTo("received_error");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("X36 UNAVAILABLE with fail_on_data_errors keeps the resource")
  void x36UnavailableKeepsTheResource(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol, ServerFeature.FAIL_ON_DATA_ERRORS)) {
      Watched w = h.watch(LDS, "foo");
      h.respond(response(LDS).resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");

      h.respond(response(LDS).error("foo", UNAVAILABLE, "catalogue is down"));

      assertError(w.ambient(), UNAVAILABLE, LDS, "foo", "catalogue is down");
      w.nothing();
      assertThat(h.state(LDS, "foo")).isEqualTo("received_error_but_cached");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H31 an identical resource after an error ends the ambient error, for all watchers")
  void h31IdenticalResourceEndsTheError(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(LDS, "foo");
      h.respond(response(LDS).version("1").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.respond(response(LDS).version("2").error("foo", RESOURCE_EXHAUSTED, "later"));
      assertError(w.ambient(), RESOURCE_EXHAUSTED, LDS, "foo", "later");
      Watched late = h.watch(LDS, "foo");
      assertThat(late.resource()).isEqualTo("one");
      assertError(late.ambient(), RESOURCE_EXHAUSTED, LDS, "foo", "later");

      h.respond(response(LDS).version("3").resource("foo", "one"));

      for (Watched each : List.of(w, late)) {
        assertThat(each.ambient()).isEqualTo(Status.OK);
        each.nothing();
      }
      assertThat(h.state(LDS, "foo")).isEqualTo("acked");
      assertThat(Objects.requireNonNull(h.dump(LDS, "foo")).failure()).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H32 of two errors for one name the last counts, and is told once")
  void h32LastOfTwoErrorsCounts(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol, ServerFeature.FAIL_ON_DATA_ERRORS)) {
      Watched w = h.watch(LDS, "foo");
      h.respond(response(LDS).resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");

      h.respond(response(LDS).error("foo", NOT_FOUND, "first").error("foo", UNAVAILABLE, "second"));

      assertError(w.ambient(), UNAVAILABLE, LDS, "foo", "second");
      w.nothing();
      assertThat(h.state(LDS, "foo")).isEqualTo("received_error_but_cached");
    }
  }

  static Stream<Arguments> codes() {
    return IntStream.rangeClosed(1, 16)
        .boxed()
        .flatMap(code -> Stream.of(AdsProtocol.values()).map(p -> Arguments.of(p, code)));
  }

  @ParameterizedTest
  @MethodSource("codes")
  @DisplayName("H34 of all codes only NOT_FOUND and PERMISSION_DENIED are data errors")
  void h34OnlyTwoCodesAreDataErrors(AdsProtocol protocol, int number) {
    Status.Code code = Status.fromCodeValue(number).getCode();
    assertThat(code.value()).isEqualTo(number);
    try (ClientHarness h = ClientHarness.of(protocol, ServerFeature.FAIL_ON_DATA_ERRORS)) {
      Watched w = h.watch(LDS, "foo");
      h.respond(response(LDS).resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");

      h.respond(response(LDS).error("foo", number, "because"));

      boolean dataError = number == 5 || number == 7;
      assertError(dataError ? w.error() : w.ambient(), code, LDS, "foo", "because");
      w.nothing();
      assertThat(h.state(LDS, "foo"))
          .isEqualTo(dataError ? "received_error" : "received_error_but_cached");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C30 an error without text is told as one")
  void c30ErrorWithoutTextIsToldAsOne(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(LDS, "foo");

      h.respond(response(LDS).error("foo", NOT_FOUND, ""));

      assertError(w.error(), NOT_FOUND, LDS, "foo", "error without text");
    }
  }
}
