// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.ErrorTexts.assertError;
import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.Code;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.ClientHarness.Watched;
import dev.holdfast.xds.client.fixture.Request;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.envoyproxy.envoy.service.discovery.v3.ResourceError;
import io.envoyproxy.envoy.service.discovery.v3.ResourceName;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Server errors that are none: refused by index, and without any other effect. */
class MalformedServerErrorsTest {
  private static final ResourceError NAMELESS =
      ResourceError.newBuilder()
          .setErrorDetail(com.google.rpc.Status.newBuilder().setCode(5).setMessage("who?"))
          .build();
  private static final ResourceError WITHOUT_DETAIL =
      ResourceError.newBuilder().setResourceName(ResourceName.newBuilder().setName("foo")).build();

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("X30 no name, code OK, no detail: refused by index, nobody is told")
  void x30MalformedErrorsAreRefusedByIndex(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(LDS, "foo");
      h.stream().skipRequests();

      h.respond(
          response(LDS)
              .version("1")
              .nonce("A")
              .error(NAMELESS)
              .error("foo", 0, "fine")
              .error(WITHOUT_DETAIL)
              .error("", 5, "nobody"));

      w.nothing();
      Request nack = h.stream().request();
      assertThat(nack.nonce()).isEqualTo("A");
      assertThat(nack.version()).isEmpty();
      assertThat(Objects.requireNonNull(nack.error()).getCode())
          .isEqualTo(Code.INVALID_ARGUMENT_VALUE);
      assertThat(nack.errorText())
          .containsSubsequence(
              "resource_errors index 0: resource_name unset",
              "resource_errors index 1: foo: error_detail must be non-OK",
              "resource_errors index 2: foo: error_detail must be non-OK",
              "resource_errors index 3: resource_name unset");
      assertThat(h.state(LDS, "foo")).isEqualTo("requested");
      assertThat(h.observer.invalid(SERVER, LDS)).isEqualTo(4);
      assertThat(h.observer.nacks()).containsExactly(nack.errorText());
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("X30 a malformed error is no answer: the timer still decides")
  void x30MalformedErrorIsNoAnswer(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(LDS, "foo");

      h.respond(response(LDS).error(NAMELESS).error(WITHOUT_DETAIL));
      w.nothing();

      h.advanceSeconds(15);
      assertError(w.error(), NOT_FOUND, LDS, "foo", "did not send it");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("X30 good errors and resources beside malformed ones count; the response is refused")
  void x30GoodErrorsBesideMalformedOnesCount(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched foo = h.watch(LDS, "foo");
      Watched bar = h.watch(LDS, "bar");
      h.stream().skipRequests();

      h.respond(
          response(LDS)
              .version("4")
              .nonce("A")
              .resource("bar", "one")
              .error(NAMELESS)
              .error("foo", UNAVAILABLE, "later"));

      assertError(foo.error(), UNAVAILABLE, LDS, "foo", "later");
      assertThat(bar.resource()).isEqualTo("one");
      Request nack = h.stream().request();
      assertThat(nack.errorText()).contains("resource_errors index 0: resource_name unset");
      assertThat(nack.errorText()).doesNotContain("index 1");
      // One resource was good, so the version moves on (as C21 has it).
      assertThat(nack.version()).isEqualTo(protocol == AdsProtocol.SOTW ? "4" : "");
      assertThat(h.observer.invalid(SERVER, LDS)).isEqualTo(2);
      assertThat(h.observer.valid(SERVER, LDS)).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("X30 an error without a name may be about any name: nothing is deleted by absence")
  void x30NamelessErrorDeletesNothing() {
    try (ClientHarness h = ClientHarness.sotw(ServerFeature.FAIL_ON_DATA_ERRORS)) {
      Watched w = h.watch(LDS, "foo");
      h.respond(response(LDS).resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");

      h.respond(response(LDS).error(NAMELESS));

      w.nothing();
      assertThat(h.state(LDS, "foo")).isEqualTo("acked");
    }
  }

  @Test
  @DisplayName("X30 a malformed error that names a resource is not a deletion of it either")
  void x30MalformedErrorIsNoDeletion() {
    try (ClientHarness h = ClientHarness.sotw(ServerFeature.FAIL_ON_DATA_ERRORS)) {
      Watched foo = h.watch(LDS, "foo");
      Watched bar = h.watch(LDS, "bar");
      h.respond(response(LDS).resource("foo", "one").resource("bar", "one"));
      assertThat(foo.resource()).isEqualTo("one");
      assertThat(bar.resource()).isEqualTo("one");

      h.respond(response(LDS).error(WITHOUT_DETAIL));

      foo.nothing();
      assertThat(h.state(LDS, "foo")).isEqualTo("acked");
      assertError(bar.error(), NOT_FOUND, LDS, "bar", "does not exist");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("X30 a name that cannot be parsed is refused by index")
  void x30UnparsableNameIsRefused(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(LDS, "foo");
      h.stream().skipRequests();

      h.respond(response(LDS).error("xdstp://nonsense", NOT_FOUND, "gone"));

      w.nothing();
      assertThat(h.stream().request().errorText())
          .contains("resource_errors index 0: ", "malformed name xdstp://nonsense");
    }
  }
}
