// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.Checks.ack;
import static dev.holdfast.xds.client.conformance.Checks.nack;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.Completeness;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.ResponseBuilder;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Only bytes that were not judged before are decoded. */
class UnchangedBytesTest {
  private final TestType type =
      new TestType("CDS", "envoy.config.cluster.v3.Cluster", Completeness.FULL);

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R24 of 1,000 resources, one of them changed, one is decoded")
  void r24OnlyTheChangedOneIsDecoded(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      for (int i = 0; i < 1_000; i++) {
        h.watchLater(type, "c" + i);
      }
      h.settle();
      ResponseBuilder before = response(type).version("1").nonce("A");
      ResponseBuilder after = response(type).version("2").nonce("B");
      for (int i = 0; i < 1_000; i++) {
        before.resource("c" + i, "v1");
        after.resource("c" + i, i == 500 ? "v2" : "v1");
      }

      h.respond(before);
      assertThat(type.takeDecodings()).isEqualTo(1_000);
      h.respond(after);

      assertThat(type.takeDecodings()).isEqualTo(1);
      assertThat(Checks.cached(h, type, "c500").value()).isEqualTo("v2");
      assertThat(Checks.cached(h, type, "c499").version()).isEqualTo("2");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R24 unchanged bytes are not decoded again on a new stream either")
  void r24UnchangedBytesOnANewStream(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(type, "foo");
      h.respond(response(type).version("1").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      type.takeDecodings();
      h.closeStream(Status.OK);
      h.advanceSeconds(1);

      h.respond(response(type).version("1").resource("foo", "one"));

      assertThat(type.takeDecodings()).isZero();
      w.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R24 a wrapper around the same bytes does not make them new")
  void r24WrapperDoesNotMakeBytesNew(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(type, "foo");
      h.respond(response(type).version("1").resource("foo", "one"));
      type.takeDecodings();

      h.respond(response(type).version("2").wrapped("foo", "foo", "one"));

      assertThat(type.takeDecodings()).isZero();
      assertThat(Checks.cached(h, type, "foo").version()).isEqualTo("2");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R26 resources nobody asked for are not decoded")
  void r26StrangersAreNotDecoded(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(type, "foo");

      h.respond(response(type).resource("a", "x").resource("foo", "one").resource("b", "bad:y"));

      assertThat(type.takeDecodings()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G22 identical rejected bytes are refused again without being decoded again")
  void g22RejectedBytesAreNotDecodedAgain(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(type, "foo");
      h.stream().skipRequests();
      h.respond(response(type).version("1").nonce("A").resource("foo", "bad:x|y"));
      w.error();
      String first = nack(h.stream(), "", "A");
      assertThat(type.takeDecodings()).isEqualTo(1);
      h.advanceSeconds(4);

      h.respond(response(type).version("2").nonce("B").resource("foo", "bad:x|y"));

      assertThat(type.takeDecodings()).isZero();
      assertThat(nack(h.stream(), "", "B")).isEqualTo(first);
      w.nothing();
      assertThat(Checks.failure(h, type, "foo").version()).isEqualTo("2");
      assertThat(Checks.failure(h, type, "foo").time()).isEqualTo(h.time.now());

      h.closeStream(Status.OK);
      h.advanceSeconds(5);
      h.respond(response(type).version("3").nonce("C").resource("foo", "bad:x|y"));
      assertThat(type.takeDecodings()).as("on a new stream").isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G22 a decoder that failed is not tried again on the same bytes")
  void g22BytesThatBrokeTheDecoderAreNotTriedAgain(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(type, "foo");
      h.respond(response(type).version("1").nonce("A").resource("foo", "throw:x"));
      assertThat(type.takeDecodings()).isEqualTo(1);
      h.respond(response(type).version("2").nonce("B").resource("foo", "throw:x"));
      assertThat(type.takeDecodings()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G23 after good, bad and the same good, only the bad one cost a decoding")
  void g23BackToTheKeptBytesCostsNothing(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(type, "foo");
      h.respond(response(type).version("1").nonce("A").resource("foo", "one"));
      type.takeDecodings();

      h.respond(response(type).version("2").nonce("B").resource("foo", "bad:x"));
      assertThat(type.takeDecodings()).isEqualTo(1);
      h.respond(response(type).version("3").nonce("C").resource("foo", "one"));

      assertThat(type.takeDecodings()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G23 a dropped resource is decoded when it comes back")
  void g23DroppedResourceIsDecodedAgain(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol, ServerFeature.FAIL_ON_DATA_ERRORS)) {
      ClientHarness.Watched w = h.watch(type, "foo");
      h.respond(response(type).version("1").nonce("A").resource("foo", "one"));
      h.respond(response(type).version("2").nonce("B").resource("foo", "bad:x"));
      type.takeDecodings();
      h.stream().skipRequests();

      h.respond(response(type).version("3").nonce("C").resource("foo", "one"));

      assertThat(type.takeDecodings()).isEqualTo(1);
      assertThat(w.resource()).isEqualTo("one");
      w.error();
      assertThat(w.resource()).isEqualTo("one");
      ack(h.stream(), "3", "C");
    }
  }
}
