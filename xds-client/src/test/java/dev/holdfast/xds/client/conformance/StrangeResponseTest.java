// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.CDS;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.Request;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Responses that nobody asked for or can read: checklist section 3.6. */
class StrangeResponseTest {
  private static final ByteString GARBAGE = ByteString.copyFrom(new byte[] {0x0a, 0x7f, 1});

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H60 a response of an unknown type is not answered, and the next one is read")
  void h60UnknownTypeIsSkipped(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(LDS, "foo");
      h.stream().skipRequests();

      h.respond(response(LDS).typeUrl("type.googleapis.com/made.Up").nonce("X"));
      h.respond(response(LDS).typeUrl("").nonce("Y"));

      assertThat(h.stream().unseenRequests()).isZero();
      assertThat(h.observer.unknownTypes()).containsExactly("type.googleapis.com/made.Up", "");
      assertThat(h.stream().isReading()).isTrue();
      w.nothing();
      h.respond(response(LDS).nonce("Z").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      assertThat(h.stream().request().nonce()).isEqualTo("Z");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H60 a response of a type that this stream was never asked for is skipped as well")
  void h60TypeThatThisStreamWasNotAskedForIsSkipped(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(LDS, "foo");
      ClientHarness.Watched gone = h.watch(CDS, "bar");
      gone.cancel();
      h.respond(response(LDS).resource("foo", "one"));
      h.closeStream(Status.UNAVAILABLE);
      h.advanceSeconds(1);
      h.stream().skipRequests();

      h.respond(response(CDS).nonce("X").resource("bar", "two"));

      // A first request without names would subscribe to everything.
      assertThat(h.stream().unseenRequests()).isZero();
      assertThat(h.observer.unknownTypes()).containsExactly(CDS.typeUrl());
      assertThat(h.stream().isReading()).isTrue();
      ClientHarness.Watched back = h.watch(CDS, "bar");
      Request request = h.stream().request();
      assertThat(request.names()).containsExactly("bar");
      assertThat(request.nonce()).isEmpty();
      h.respond(response(CDS).nonce("Y").resource("bar", "two"));
      assertThat(back.resource()).isEqualTo("two");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H61 an undecodable response fails the stream, and the next stream works")
  void h61UndecodableResponseFailsTheStream(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched cached = h.watch(LDS, "foo");
      h.respond(response(LDS).version("1").resource("foo", "one"));
      assertThat(cached.resource()).isEqualTo("one");
      ClientHarness.Watched waiting = h.watch(CDS, "bar");

      h.stream().deliver(GARBAGE);
      h.settle();

      Status ambient = cached.ambient();
      assertThat(ambient.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(ambient.getDescription())
          .contains("LDS resource foo", SERVER, "cannot be decoded")
          .endsWith("(node ID:node-1)");
      assertThat(waiting.error().getDescription()).contains("cannot be decoded");
      assertThat(h.transport().streams().get(0).isCancelled()).isTrue();
      assertThat(h.transport().streams().get(0).cancelReason()).contains("cannot be decoded");
      assertThat(h.observer.connected(SERVER)).isFalse();
      assertThat(h.observer.failures(SERVER)).isEqualTo(1);
      assertThat(h.state(LDS, "foo")).isEqualTo("acked");

      h.advanceSeconds(1);
      assertThat(h.stream().request().versionOf("foo")).isEqualTo("1");
      h.respond(response(CDS).resource("bar", "two"));
      assertThat(waiting.resource()).isEqualTo("two");
      assertThat(cached.ambient()).isEqualTo(Status.OK);
      assertThat(h.observer.connected(SERVER)).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H61 a server that sends nothing but garbage is backed off ever longer")
  void h61GarbageIsBackedOff(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(LDS, "foo");
      for (double delay : new double[] {1, 1.6, 2.56}) {
        int streams = h.transport().streams().size();
        h.stream().deliver(GARBAGE);
        h.settle();
        h.advanceSeconds(delay - 0.001);
        assertThat(h.transport().streams()).hasSize(streams);
        h.advanceSeconds(0.001);
        assertThat(h.transport().streams()).hasSize(streams + 1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H61 garbage after a long and useful life is not held against earlier failures")
  void h61GarbageAfterALongLifeStartsTheBackoffAnew(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(LDS, "foo");
      for (int i = 0; i < 10; i++) {
        h.closeStream(Status.UNAVAILABLE);
        h.advanceSeconds(120);
      }
      h.respond(response(LDS).resource("foo", "one"));
      h.advanceSeconds(3600);

      h.stream().deliver(GARBAGE);
      h.settle();
      h.advanceSeconds(1);

      assertThat(h.transport().hasOpenStream()).isTrue();
    }
  }
}
