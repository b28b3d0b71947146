// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.Checks.ack;
import static dev.holdfast.xds.client.conformance.Checks.cached;
import static dev.holdfast.xds.client.conformance.Checks.entry;
import static dev.holdfast.xds.client.conformance.Checks.failure;
import static dev.holdfast.xds.client.conformance.Checks.nack;
import static dev.holdfast.xds.client.conformance.Checks.noRequest;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.xds.client.Completeness;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.fixture.TestWatcher;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What each kind of response leaves in the cache, for each type, also for types of one's own. */
class CacheMetadataTest {
  private static final String EACH = "dev.holdfast.xds.client.conformance.Checks#protocolsAndTypes";

  @ParameterizedTest
  @MethodSource(EACH)
  @DisplayName("G11 badly marshalled resource: NACK, nobody is told, the entry stays requested")
  void g11BadlyMarshalled(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(type, "foo");
      h.stream().skipRequests();

      h.respond(response(type).version("1").nonce("A").garbage());

      assertThat(nack(h.stream(), "", "A")).contains("resource index 0: not a test resource");
      w.nothing();
      assertThat(h.state(type, "foo")).isEqualTo("requested");
    }
  }

  @ParameterizedTest
  @MethodSource(EACH)
  @DisplayName("G11 empty response: ACK, the entry stays requested")
  void g11Empty(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(type, "foo");
      h.stream().skipRequests();

      h.respond(response(type).version("1").nonce("A"));

      ack(h.stream(), "1", "A");
      w.nothing();
      assertThat(h.state(type, "foo")).isEqualTo("requested");
    }
  }

  @ParameterizedTest
  @MethodSource(EACH)
  @DisplayName(
      "G11 response of an unexpected type: neither ACK nor NACK, the entry stays requested")
  void g11UnexpectedTypeOfResponse(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(type, "foo");
      h.stream().skipRequests();

      h.respond(response(type).typeUrl("type.googleapis.com/example.Other").resource("foo", "x"));

      noRequest(h.stream());
      w.nothing();
      assertThat(h.state(type, "foo")).isEqualTo("requested");
      assertThat(h.observer.unknownTypes()).containsExactly("type.googleapis.com/example.Other");
      assertThat(h.stream().isReading()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource(EACH)
  @DisplayName("G11 one bad: nacked with version and time of the response, no resource")
  void g11OneBad(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(type, "foo");
      h.stream().skipRequests();
      h.advanceSeconds(2);

      h.respond(response(type).version("1").nonce("A").resource("foo", "bad:x"));

      nack(h.stream(), "", "A");
      Checks.says(w.error(), Status.Code.INVALID_ARGUMENT, type.shortName() + " resource foo", "x");
      assertThat(h.state(type, "foo")).isEqualTo("nacked");
      assertThat(entry(h, type, "foo").resource()).isNull();
      assertThat(failure(h, type, "foo").version()).isEqualTo("1");
      assertThat(failure(h, type, "foo").time()).isEqualTo(h.time.now());
    }
  }

  @ParameterizedTest
  @MethodSource(EACH)
  @DisplayName("G11 one good: acked with version, time and bytes, no failure")
  void g11OneGood(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(type, "foo");
      h.advanceSeconds(2);

      h.respond(response(type).version("1").nonce("A").resource("foo", "one"));

      assertThat(h.state(type, "foo")).isEqualTo("acked");
      assertThat(entry(h, type, "foo").failure()).isNull();
      assertThat(cached(h, type, "foo").version()).isEqualTo("1");
      assertThat(cached(h, type, "foo").updated()).isEqualTo(h.time.now());
      assertThat(cached(h, type, "foo").serialized()).isEqualTo(TestType.bytes("foo", "one"));
    }
  }

  @ParameterizedTest
  @MethodSource(EACH)
  @DisplayName("G11 two for one: the cache holds only what was asked for")
  void g11TwoForOne(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(type, "foo");

      h.respond(response(type).version("1").resource("foo", "one").resource("bar", "two"));

      assertThat(h.state(type, "foo")).isEqualTo("acked");
      assertThat(h.state(type, "bar")).isEqualTo("not shown");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G10 a custom resource type can be watched, with and without names to peek at")
  void g10CustomType(AdsProtocol protocol) {
    TestType plain = new TestType("Plain", "example.v1.Plain", Completeness.PARTIAL);
    TestType opaque = TestType.withoutPeeking("Opaque", "example.v1.Opaque", Completeness.FULL);
    for (TestType type : new TestType[] {plain, opaque}) {
      try (ClientHarness h = ClientHarness.of(protocol)) {
        ClientHarness.Watched w = h.watch(type, "foo");
        assertThat(h.stream().request().typeUrl())
            .isEqualTo("type.googleapis.com/" + type.typeName());

        h.respond(response(type).version("1").nonce("A").entry("", type.any("foo", "one")));
        assertThat(w.resource()).isEqualTo("one");
        ack(h.stream(), "1", "A");

        h.respond(response(type).version("2").nonce("B").entry("", type.any("foo", "bad:x")));
        Checks.says(
            w.ambient(), Status.Code.INVALID_ARGUMENT, type.shortName() + " resource foo", "x");
        assertThat(nack(h.stream(), "1", "B")).startsWith(type.shortName() + " response");

        h.respond(response(type).version("3").nonce("C").entry("", type.any("foo", "one")));
        assertThat(w.ambient().isOk()).isTrue();
        w.nothing();
      }
    }
  }

  @Test
  @DisplayName("G10 two types for one URL are a mistake that is told at once")
  void g10TwoTypesForOneUrlAreRefused() {
    try (ClientHarness h = ClientHarness.sotw()) {
      TestType one = new TestType("One", "example.v1.Same", Completeness.PARTIAL);
      TestType two = new TestType("Two", "example.v1.Same", Completeness.PARTIAL);
      h.watch(one, "foo");

      assertThatThrownBy(() -> h.client.watch(two, "foo", new TestWatcher("two")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("type: Two (expected: One")
          .hasMessageContaining("example.v1.Same");
    }
  }
}
