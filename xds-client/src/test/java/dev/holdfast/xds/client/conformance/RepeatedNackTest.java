// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.Checks.ack;
import static dev.holdfast.xds.client.conformance.Checks.entry;
import static dev.holdfast.xds.client.conformance.Checks.failure;
import static dev.holdfast.xds.client.conformance.Checks.nack;
import static dev.holdfast.xds.client.conformance.Checks.says;
import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.CDS;
import static dev.holdfast.xds.client.fixture.TestType.EDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The same error is told once; its end is told once too. */
class RepeatedNackTest {
  private static final String EACH = "dev.holdfast.xds.client.conformance.Checks#protocolsAndTypes";

  @ParameterizedTest
  @MethodSource(EACH)
  @DisplayName(
      "G22 a repeated identical error is not told again; the server gets its NACK each time")
  void g22RepeatedErrorIsToldOnce(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(type, "foo");
      h.stream().skipRequests();
      h.respond(response(type).version("1").nonce("A").resource("foo", "bad:x"));
      says(w.error(), Status.Code.INVALID_ARGUMENT, "value: x");
      nack(h.stream(), "", "A");
      h.advanceSeconds(1);

      h.respond(response(type).version("2").nonce("B").resource("foo", "bad:x"));

      w.nothing();
      nack(h.stream(), "", "B");
      assertThat(failure(h, type, "foo").version()).isEqualTo("2");
      assertThat(failure(h, type, "foo").time()).isEqualTo(h.time.now());
      assertThat(h.observer.invalid(SERVER, type)).isEqualTo(2);

      h.respond(response(type).version("3").nonce("C").resource("foo", "bad:y"));
      says(w.error(), Status.Code.INVALID_ARGUMENT, "value: y");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G22 also as an ambient error, and when other bytes have the same fault")
  void g22RepeatedAmbientErrorIsToldOnce(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(EDS, "foo");
      h.respond(response(EDS).version("1").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.respond(response(EDS).version("2").resource("foo", "bad:x"));
      says(w.ambient(), Status.Code.INVALID_ARGUMENT, "value: x");

      h.respond(response(EDS).version("3").wrapped("foo", "inner", "bad:x"));

      w.nothing();
      assertThat(failure(h, EDS, "foo").version()).isEqualTo("3");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G22 of several bad resources only those with a new error are told")
  void g22OnlyNewErrorsAreTold(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched same = h.watch(CDS, "same");
      ClientHarness.Watched other = h.watch(CDS, "other");
      ClientHarness.Watched good = h.watch(CDS, "good");
      h.respond(
          response(CDS)
              .version("1")
              .resource("same", "bad:x")
              .resource("other", "bad:y")
              .resource("good", "one"));
      same.error();
      other.error();
      assertThat(good.resource()).isEqualTo("one");

      h.respond(
          response(CDS)
              .version("2")
              .resource("same", "bad:x")
              .resource("other", "bad:z")
              .resource("good", "one"));

      same.nothing();
      says(other.error(), Status.Code.INVALID_ARGUMENT, "CDS resource other", "value: z");
      good.nothing();
    }
  }

  @ParameterizedTest
  @MethodSource(EACH)
  @DisplayName("G23 good, bad, then the same good: the watcher is told that the error is over")
  void g23SameGoodAfterBadIsTold(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(type, "foo");
      h.respond(response(type).version("1").nonce("A").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.respond(response(type).version("2").nonce("B").resource("foo", "bad:x"));
      says(w.ambient(), Status.Code.INVALID_ARGUMENT, "value: x");
      h.stream().skipRequests();

      h.respond(response(type).version("3").nonce("C").resource("foo", "one"));

      assertThat(w.ambient().isOk()).isTrue();
      w.nothing();
      ack(h.stream(), "3", "C");
    }
  }

  @ParameterizedTest
  @MethodSource(EACH)
  @DisplayName("H20 an identical good resource after a NACK clears the ambient error for all")
  void h20IdenticalGoodResourceClearsTheError(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched early = h.watch(type, "foo");
      h.respond(response(type).version("1").resource("foo", "one"));
      h.respond(response(type).version("2").resource("foo", "bad:x"));
      ClientHarness.Watched late = h.watch(type, "foo");
      assertThat(early.watcher.currentAmbient()).isNotNull();
      assertThat(late.watcher.currentAmbient()).isNotNull();
      h.advanceSeconds(2);

      h.respond(response(type).version("3").resource("foo", "one"));

      assertThat(early.watcher.currentAmbient()).isNull();
      assertThat(late.watcher.currentAmbient()).isNull();
      assertThat(h.state(type, "foo")).isEqualTo("acked");
      assertThat(entry(h, type, "foo").failure()).isNull();
      assertThat(Checks.cached(h, type, "foo").version()).isEqualTo("3");
      assertThat(Checks.cached(h, type, "foo").updated()).isEqualTo(h.time.now());

      ClientHarness.Watched third = h.watch(type, "foo");
      assertThat(third.resource()).isEqualTo("one");
      third.nothing();
    }
  }

  @ParameterizedTest
  @MethodSource(EACH)
  @DisplayName("H20 new content after a NACK clears it without a word of its own")
  void h20NewContentClearsTheErrorImplicitly(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(type, "foo");
      h.respond(response(type).version("1").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.respond(response(type).version("2").resource("foo", "bad:x"));
      w.ambient();

      h.respond(response(type).version("3").resource("foo", "two"));

      assertThat(w.resource()).isEqualTo("two");
      w.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H20 the same fault again after it was over is news")
  void h20SameFaultAgainIsNews(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(EDS, "foo");
      h.respond(response(EDS).version("1").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      for (int i = 0; i < 3; i++) {
        h.respond(response(EDS).version("bad").resource("foo", "bad:x"));
        says(w.ambient(), Status.Code.INVALID_ARGUMENT, "value: x");
        h.respond(response(EDS).version("good").resource("foo", "one"));
        assertThat(w.ambient().isOk()).isTrue();
      }
      w.nothing();
    }
  }
}
