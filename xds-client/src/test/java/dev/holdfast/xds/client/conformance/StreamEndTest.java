// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.CDS;
import static dev.holdfast.xds.client.fixture.TestType.EDS;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.Request;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams that end, with and without a response: checklist section 3.6. */
class StreamEndTest {
  private static final Status GONE = Status.UNAVAILABLE.withDescription("server is restarting");

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C60 a stream that ends after a response is no error and is replaced")
  void c60CloseAfterAResponseIsNoError(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched first = h.watch(LDS, "foo");
      h.respond(response(LDS).version("5").nonce("A").resource("foo", "one"));
      assertThat(first.resource()).isEqualTo("one");

      h.closeStream(GONE);

      first.nothing();
      assertThat(h.state(LDS, "foo")).isEqualTo("acked");
      assertThat(h.observer.connected(SERVER)).isTrue();
      assertThat(h.observer.failures(SERVER)).isZero();
      ClientHarness.Watched meanwhile = h.watch(LDS, "foo");
      assertThat(meanwhile.resource()).isEqualTo("one");
      meanwhile.nothing();

      h.advanceSeconds(1);
      Request request = h.stream().request();
      assertThat(request.names()).containsExactly("foo");
      assertThat(request.versionOf("foo")).isEqualTo("5");
      assertThat(request.nonce()).isEmpty();
      assertThat(requireNonNull(request.node()).getId()).isEqualTo("node-1");

      h.respond(response(LDS).version("6").nonce("B").resource("foo", "one"));
      first.nothing();
      meanwhile.nothing();
      assertThat(h.stream().request().nonce()).isEqualTo("B");
      assertThat(h.observer.connected(SERVER)).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C61 a stream that ends without a response is an error until a response comes")
  void c61CloseWithoutAResponseIsAnError(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(LDS, "foo");
      assertThat(h.observer.connected(SERVER)).isTrue();

      h.closeStream(Status.PERMISSION_DENIED.withDescription("who are you"));

      Status error = w.error();
      assertThat(error.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(error.getDescription())
          .contains("LDS resource foo", SERVER, "before any response")
          .contains("PERMISSION_DENIED: who are you")
          .endsWith("(node ID:node-1)");
      assertThat(h.observer.connected(SERVER)).isFalse();
      assertThat(h.observer.failures(SERVER)).isEqualTo(1);
      assertThat(h.state(LDS, "foo")).isEqualTo("requested");

      h.advanceSeconds(1);
      assertThat(h.stream().request().names()).containsExactly("foo");
      assertThat(h.observer.connected(SERVER)).isFalse();
      w.nothing();

      h.respond(response(LDS).resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      w.nothing();
      assertThat(h.observer.connected(SERVER)).isTrue();
      assertThat(h.observer.failures(SERVER)).isEqualTo(1);
    }
  }

  @Test
  @DisplayName(
      "C61 a stream that the server closes in good order without a response is an error too")
  void c61CloseInGoodOrderWithoutAResponseIsAnError() {
    try (ClientHarness h = ClientHarness.sotw()) {
      ClientHarness.Watched w = h.watch(LDS, "foo");

      h.closeStream(Status.OK);

      Status error = w.error();
      assertThat(error.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(error.getDescription()).contains("closed by the server before any response");
      assertThat(h.observer.failures(SERVER)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C61 a stream that ends without a response is ambient for what is cached")
  void c61CloseWithoutAResponseIsAmbientForACachedResource(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched cached = h.watch(LDS, "foo");
      h.respond(response(LDS).resource("foo", "one"));
      assertThat(cached.resource()).isEqualTo("one");
      ClientHarness.Watched waiting = h.watch(CDS, "bar");
      h.closeStream(GONE);
      h.advanceSeconds(1);

      h.closeStream(GONE);

      Status ambient = cached.ambient();
      assertThat(ambient.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(ambient.getDescription()).contains("LDS resource foo", "server is restarting");
      assertThat(waiting.error().getDescription()).contains("CDS resource bar", "restarting");
      assertThat(h.state(LDS, "foo")).isEqualTo("acked");

      h.advanceSeconds(1);
      h.respond(response(CDS).resource("bar", "two"));
      assertThat(waiting.resource()).isEqualTo("two");
      assertThat(cached.ambient()).isEqualTo(Status.OK);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G60 failed streams are backed off; each asks for the same names")
  void g60FailedStreamsAreBackedOff(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched one = h.watch(LDS, "one");
      h.watch(EDS, "two");
      double[] delays = {1, 1.6, 2.56};
      for (double delay : delays) {
        int streams = h.transport().streams().size();
        h.closeStream(GONE);
        h.advanceSeconds(delay - 0.001);
        assertThat(h.transport().streams()).hasSize(streams);

        h.advanceSeconds(0.001);

        assertThat(h.transport().streams()).hasSize(streams + 1);
        assertThat(h.stream().subscribed(LDS)).containsExactly("one");
        assertThat(h.stream().subscribed(EDS)).containsExactly("two");
      }
      // The same failure thrice is one piece of news.
      assertThat(one.error().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      one.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G61 after the server was down it is shown the previous version and no nonce")
  void g61ServerDownAndUp(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(CDS, "foo");
      h.respond(response(CDS).version("3").nonce("C").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.closeStream(GONE);
      h.advanceSeconds(1);
      h.closeStream(GONE);
      assertThat(w.ambient().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      h.advanceSeconds(1);

      Request request = h.stream().request();
      assertThat(request.names()).containsExactly("foo");
      assertThat(request.versionOf("foo")).isEqualTo("3");
      assertThat(request.nonce()).isEmpty();

      h.respond(response(CDS).version("4").nonce("A").resource("foo", "two"));
      assertThat(w.resource()).isEqualTo("two");
      w.nothing();
    }
  }

  @Test
  @DisplayName("G64 failures are counted on the edge, and not after a response")
  void g64ConnectedGaugeAndFailureCounterOverAFlakyServer() {
    try (ClientHarness h = ClientHarness.sotw()) {
      assertThat(h.observer.connected(SERVER)).isNull();
      h.watch(LDS, "foo");
      assertThat(h.observer.connected(SERVER)).isTrue();

      h.respond(response(LDS).resource("foo", "one"));
      h.closeStream(GONE);
      assertThat(h.observer.connected(SERVER)).isTrue();
      assertThat(h.observer.failures(SERVER)).isZero();

      h.advanceSeconds(1);
      h.closeStream(GONE);
      assertThat(h.observer.connected(SERVER)).isFalse();
      assertThat(h.observer.failures(SERVER)).isEqualTo(1);

      h.advanceSeconds(1);
      h.closeStream(Status.INTERNAL);
      h.transport().transientFailure(GONE);
      h.settle();
      assertThat(h.observer.connected(SERVER)).isFalse();
      assertThat(h.observer.failures(SERVER)).isEqualTo(1);

      h.advanceSeconds(1.6);
      assertThat(h.observer.connected(SERVER)).isFalse();
      h.respond(response(LDS).resource("foo", "one"));
      assertThat(h.observer.connected(SERVER)).isTrue();

      h.transport().transientFailure(GONE);
      h.settle();
      assertThat(h.observer.connected(SERVER)).isFalse();
      assertThat(h.observer.failures(SERVER)).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.holdfast.xds.client.fixture.TestType#all")
  @DisplayName("E60 the stream's own text and the node id reach the watchers of every type")
  void e60StreamErrorTextAndNodeIdReachTheWatcher(TestType type) {
    try (ClientHarness h = ClientHarness.sotw()) {
      ClientHarness.Watched w = h.watch(type, "foo");

      h.closeStream(Status.NOT_FOUND.withDescription("no such service"));

      Status error = w.error();
      assertThat(error.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(error.getDescription())
          .contains(type.shortName() + " resource foo", "NOT_FOUND: no such service")
          .containsOnlyOnce("(node ID:node-1)");
    }
  }
}
