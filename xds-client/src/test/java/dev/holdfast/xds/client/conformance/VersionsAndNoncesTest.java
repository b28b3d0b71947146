// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.Checks.ack;
import static dev.holdfast.xds.client.conformance.Checks.nack;
import static dev.holdfast.xds.client.conformance.Checks.noRequest;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.CDS;
import static dev.holdfast.xds.client.fixture.TestType.EDS;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.FakeStream;
import dev.holdfast.xds.client.fixture.Request;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which version and nonce an answer carries, and what it does not. */
class VersionsAndNoncesTest {
  @ParameterizedTest
  @MethodSource("dev.holdfast.xds.client.conformance.Checks#protocolsAndTypes")
  @DisplayName("G20 ACK, NACK with the previous version, ACK again")
  void g20AckNackAck(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(type, "foo");
      FakeStream stream = h.stream();
      stream.skipRequests();

      h.respond(response(type).version("1").nonce("A").resource("foo", "one"));
      ack(stream, "1", "A");
      h.respond(response(type).version("2").nonce("B").resource("foo", "bad:x"));
      nack(stream, "1", "B");
      h.respond(response(type).version("3").nonce("C").resource("foo", "three"));
      ack(stream, "3", "C");
      noRequest(stream);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.holdfast.xds.client.conformance.Checks#protocolsAndTypes")
  @DisplayName("G21 first response invalid: the NACK's version is empty, its nonce the response's")
  void g21FirstNackHasNoVersion(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(type, "foo");
      h.stream().skipRequests();

      h.respond(response(type).version("1").nonce("A").resource("foo", "bad:x"));

      nack(h.stream(), "", "A");
      noRequest(h.stream());
    }
  }

  @Test
  @DisplayName("R37 SotW: a NACKed response's nonce is the one that later requests carry")
  void r37NonceOfANackedResponseIsCarriedOn() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.watch(EDS, "foo");
      h.respond(response(EDS).version("1").nonce("A").resource("foo", "one"));
      h.respond(response(EDS).version("2").nonce("B").resource("foo", "bad:x"));
      h.stream().skipRequests();

      h.watch(EDS, "bar");

      Request request = h.stream().request();
      assertThat(request.version()).isEqualTo("1");
      assertThat(request.nonce()).isEqualTo("B");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R39 the reason of a NACK is said once: a later change of names does not repeat it")
  void r39ReasonIsSaidOnce(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(LDS, "foo");
      h.stream().skipRequests();
      h.respond(response(LDS).version("1").nonce("A").resource("foo", "bad:x"));
      nack(h.stream(), "", "A"); // the code is 3, as for every NACK

      h.watch(LDS, "bar");

      assertThat(h.stream().request().isNack()).isFalse();
      noRequest(h.stream());
    }
  }

  @Test
  @DisplayName("R38 SotW: the version advances with a NACK if one subscribed resource was good")
  void r38VersionAdvancesIfOneWasGood() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.watch(EDS, "good");
      h.watch(EDS, "broken");
      h.stream().skipRequests();

      h.respond(
          response(EDS).version("1").nonce("A").resource("good", "x").resource("broken", "bad:y"));

      nack(h.stream(), "1", "A");
    }
  }

  @Test
  @DisplayName("R38 SotW: a good resource that nobody asked for does not advance it")
  void r38StrangerDoesNotAdvanceTheVersion() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.watch(EDS, "broken");
      h.stream().skipRequests();

      h.respond(
          response(EDS)
              .version("1")
              .nonce("A")
              .resource("stranger", "x")
              .resource("broken", "bad:y"));

      nack(h.stream(), "", "A");
    }
  }

  @Test
  @DisplayName("R38 SotW: the version is kept across streams, per type")
  void r38VersionOutlivesTheStream() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.watch(LDS, "foo");
      h.watch(CDS, "bar");
      h.respond(response(LDS).version("1").nonce("A").resource("foo", "one"));
      h.respond(response(LDS).version("2").nonce("B").resource("foo", "bad:x"));
      h.respond(response(LDS).version("3").nonce("C").resource("foo", "one"));

      h.closeStream(Status.OK);
      h.advanceSeconds(1);

      Request lds = h.stream().request();
      assertThat(lds.typeUrl()).isEqualTo(LDS.typeUrl());
      assertThat(lds.version()).isEqualTo("3");
      Request cds = h.stream().request();
      assertThat(cds.typeUrl()).isEqualTo(CDS.typeUrl());
      assertThat(cds.version()).isEmpty();
    }
  }

  @Test
  @DisplayName("R38 Delta: only versions of good copies are told to a new stream")
  void r38DeltaTellsOnlyVersionsOfGoodCopies() {
    try (ClientHarness h = ClientHarness.delta()) {
      h.watch(EDS, "good");
      h.watch(EDS, "broken");
      h.watch(EDS, "kept");
      h.respond(
          response(EDS)
              .version("1")
              .resource("good", "x")
              .resource("kept", "y")
              .resource("broken", "bad:z"));
      h.respond(response(EDS).version("2").nonce("B").resource("kept", "bad:z"));

      h.closeStream(Status.OK);
      h.advanceSeconds(1);

      Request request = h.stream().request();
      assertThat(request.names()).containsExactly("broken", "good", "kept");
      assertThat(request.initialVersions()).isEqualTo(Map.of("good", "1"));
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "R36 a type whose last name is gone is still answered, so that its nonce is not stale")
  void r36TypeWithoutNamesIsStillAnswered(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(LDS, "keeps-the-stream");
      ClientHarness.Watched cluster = h.watch(CDS, "foo");
      cluster.cancel();
      h.stream().skipRequests();

      h.respond(response(CDS).version("1").nonce("A").resource("foo", "late"));
      ack(h.stream(), "1", "A");
      h.respond(response(CDS).version("2").nonce("B").resource("foo", "bad:late"));
      ack(h.stream(), "2", "B");
    }
  }
}
