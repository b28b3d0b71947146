// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.Checks.cached;
import static dev.holdfast.xds.client.conformance.Checks.nack;
import static dev.holdfast.xds.client.conformance.Checks.says;
import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.CDS;
import static dev.holdfast.xds.client.fixture.TestType.EDS;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.FakeStream;
import dev.holdfast.xds.client.fixture.Request;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.grpc.Status;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Good resources of a partly bad response are used; bad ones hurt nobody else (gRFC A46). */
class PartlyBadResponseTest {
  private static final ByteString GARBAGE = ByteString.copyFrom(new byte[] {0x0a, 0x7f, 1});

  /** An {@code Any} that claims to be a wrapper. */
  private static Any wrapper(ByteString value) {
    return Any.newBuilder()
        .setTypeUrl("type.googleapis.com/envoy.service.discovery.v3.Resource")
        .setValue(value)
        .build();
  }

  private static Any garbage(TestType type) {
    return Any.newBuilder().setTypeUrl(type.typeUrl()).setValue(GARBAGE).build();
  }

  @Test
  @DisplayName(
      "C21 mixed response: errors only where a name is known, the good one delivered, one NACK listing all by index")
  void c21MixedResponse() {
    try (ClientHarness h = ClientHarness.sotw()) {
      ClientHarness.Watched named = h.watch(EDS, "named");
      ClientHarness.Watched inside = h.watch(EDS, "inside");
      ClientHarness.Watched good = h.watch(EDS, "good");
      ClientHarness.Watched silent = h.watch(EDS, "silent");
      FakeStream stream = h.stream();
      stream.skipRequests();

      h.respond(
          response(EDS)
              .version("1")
              .nonce("A")
              .resource("named", "bad:x")
              .garbage()
              .entry("", Any.getDefaultInstance())
              .entry("", wrapper(GARBAGE))
              .entry(
                  "",
                  wrapper(
                      Resource.newBuilder()
                          .setName("inside")
                          .setResource(garbage(EDS))
                          .build()
                          .toByteString()))
              .resource("good", "one"));

      says(named.error(), Status.Code.INVALID_ARGUMENT, "EDS resource named", "value: x");
      says(
          inside.error(),
          Status.Code.INVALID_ARGUMENT,
          "EDS resource inside",
          "not a test resource");
      assertThat(good.resource()).isEqualTo("one");
      silent.nothing();
      named.nothing();
      inside.nothing();
      good.nothing();
      String text = nack(stream, "1", "A");
      assertThat(text)
          .containsSubsequence(
              "EDS response validation errors: [",
              "resource index 0: named: value: x; ",
              "resource index 1: not a test resource; ",
              "resource index 2: incorrect resource type \"\" (should be " + EDS.typeUrl() + "); ",
              "resource index 3: wrapper cannot be decoded: ",
              "; resource index 4: inside: not a test resource]")
          .doesNotContain("index 5");
      Checks.noRequest(stream);
      assertThat(h.state(EDS, "named")).isEqualTo("nacked");
      assertThat(h.state(EDS, "inside")).isEqualTo("nacked");
      assertThat(h.state(EDS, "good")).isEqualTo("acked");
      assertThat(h.state(EDS, "silent")).isEqualTo("requested");
      assertThat(h.observer.valid(SERVER, EDS)).isEqualTo(1);
      assertThat(h.observer.invalid(SERVER, EDS)).isEqualTo(5);
    }
  }

  @Test
  @DisplayName("C21 the same in Delta, where every entry has a wrapper")
  void c21MixedResponseInDelta() {
    try (ClientHarness h = ClientHarness.delta()) {
      ClientHarness.Watched named = h.watch(EDS, "named");
      ClientHarness.Watched inside = h.watch(EDS, "inside");
      ClientHarness.Watched empty = h.watch(EDS, "empty");
      ClientHarness.Watched good = h.watch(EDS, "good");
      FakeStream stream = h.stream();
      stream.skipRequests();

      h.respond(
          response(EDS)
              .version("1")
              .nonce("A")
              .resource("named", "bad:x")
              .garbage()
              .entry("empty", Any.getDefaultInstance())
              .entry("inside", garbage(EDS))
              .resource("good", "one"));

      says(named.error(), Status.Code.INVALID_ARGUMENT, "EDS resource named", "value: x");
      says(inside.error(), Status.Code.INVALID_ARGUMENT, "EDS resource inside");
      says(empty.error(), Status.Code.INVALID_ARGUMENT, "EDS resource empty", "incorrect resource");
      assertThat(good.resource()).isEqualTo("one");
      assertThat(nack(stream, "1", "A"))
          .containsSubsequence("index 0: named", "index 1: ", "index 2: empty", "index 3: inside")
          .doesNotContain("index 4");
      assertThat(h.observer.invalid(SERVER, EDS)).isEqualTo(4);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "C25 all-required type with an empty extra entry: good one delivered, NACK, no deletion")
  void c25EmptyExtraEntryDeletesNothing(AdsProtocol protocol) {
    for (TestType type : new TestType[] {LDS, CDS}) {
      try (ClientHarness h = ClientHarness.of(protocol, ServerFeature.FAIL_ON_DATA_ERRORS)) {
        ClientHarness.Watched foo = h.watch(type, "foo");
        ClientHarness.Watched bar = h.watch(type, "bar");
        h.respond(response(type).version("1").resource("foo", "one").resource("bar", "uno"));
        assertThat(foo.resource()).isEqualTo("one");
        assertThat(bar.resource()).isEqualTo("uno");
        h.stream().skipRequests();

        h.respond(
            response(type)
                .version("2")
                .nonce("B")
                .resource("foo", "two")
                .entry("", Any.getDefaultInstance()));

        assertThat(foo.resource()).isEqualTo("two");
        foo.nothing();
        bar.nothing();
        assertThat(h.state(type, "bar")).isEqualTo("acked");
        assertThat(nack(h.stream(), "2", "B")).contains("resource index 1: ");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.holdfast.xds.client.conformance.Checks#protocolsAndTypes")
  @DisplayName(
      "G25 partially valid response: the good watcher is updated, the bad one hears the error")
  void g25PartiallyValidResponse(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched good = h.watch(type, "good");
      ClientHarness.Watched broken = h.watch(type, "broken");
      h.stream().skipRequests();

      h.respond(
          response(type)
              .version("1")
              .nonce("A")
              .resource("broken", "bad:x")
              .resource("good", "one"));

      assertThat(good.resource()).isEqualTo("one");
      good.nothing();
      says(
          broken.error(),
          Status.Code.INVALID_ARGUMENT,
          type.shortName() + " resource broken",
          "value: x");
      broken.nothing();
      assertThat(nack(h.stream(), "1", "A")).contains("broken").doesNotContain("good");

      h.respond(
          response(type)
              .version("2")
              .nonce("B")
              .resource("broken", "mended")
              .resource("good", "one"));
      assertThat(broken.resource()).isEqualTo("mended");
      good.nothing();
      Checks.ack(h.stream(), "2", "B");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "E20 two bad listeners for two users: one NACK lists both, each user hears of its own")
  void e20NackListsBothBadListeners(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched one = h.watch(LDS, "one");
      ClientHarness.Watched two = h.watch(LDS, "two");
      h.stream().skipRequests();

      h.respond(
          response(LDS)
              .version("1")
              .nonce("A")
              .resource("one", "bad:first fault")
              .resource("two", "bad:second fault"));

      assertThat(nack(h.stream(), "", "A"))
          .isEqualTo(
              "LDS response validation errors: [resource index 0: one: value: first fault; "
                  + "resource index 1: two: value: second fault]");
      Checks.noRequest(h.stream());
      Status first = one.error();
      says(first, Status.Code.INVALID_ARGUMENT, "LDS resource one", "first fault");
      assertThat(first.getDescription()).doesNotContain("second fault");
      Status second = two.error();
      says(second, Status.Code.INVALID_ARGUMENT, "LDS resource two", "second fault");
      assertThat(second.getDescription()).doesNotContain("first fault");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("E21 an invalid LDS/CDS update of a cached resource is not a deletion")
  void e21InvalidUpdateIsNotADeletion(AdsProtocol protocol) {
    for (TestType type : new TestType[] {LDS, CDS}) {
      try (ClientHarness h = ClientHarness.of(protocol)) {
        ClientHarness.Watched w = h.watch(type, "foo");
        h.respond(response(type).version("1").resource("foo", "one"));
        assertThat(w.resource()).isEqualTo("one");

        h.respond(response(type).version("2").resource("foo", "bad:x"));

        says(w.ambient(), Status.Code.INVALID_ARGUMENT, "value: x");
        w.nothing();
        assertThat(h.state(type, "foo")).isEqualTo("nacked_but_cached");
        h.advanceSeconds(60);
        w.nothing();
        assertThat(h.state(type, "foo")).isEqualTo("nacked_but_cached");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ServerFeature.class)
  @DisplayName("H21 an undecodable unnamed LDS/CDS entry deletes nothing, whatever the features")
  void h21UndecodableEntryDeletesNothing(ServerFeature feature) {
    for (TestType type : new TestType[] {LDS, CDS}) {
      try (ClientHarness h = ClientHarness.sotw(feature)) {
        ClientHarness.Watched foo = h.watch(type, "foo");
        ClientHarness.Watched bar = h.watch(type, "bar");
        h.respond(response(type).version("1").resource("foo", "one").resource("bar", "two"));
        assertThat(foo.resource()).isEqualTo("one");
        assertThat(bar.resource()).isEqualTo("two");
        h.stream().skipRequests();

        h.respond(response(type).version("2").nonce("B").garbage().resource("bar", "two"));

        nack(h.stream(), "2", "B");
        foo.nothing();
        bar.nothing();
        assertThat(h.state(type, "foo")).isEqualTo("acked");
        assertThat(cached(h, type, "foo").version()).isEqualTo("1");

        h.respond(response(type).version("3").nonce("C").resource("bar", "two"));
        assertThat(h.state(type, "foo"))
            .as("a whole response deletes")
            .startsWith("does_not_exist");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H21 the response in which all entries are corrupt is no outage")
  void h21CorruptResponseIsNoOutage(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol, ServerFeature.FAIL_ON_DATA_ERRORS)) {
      ClientHarness.Watched w = h.watch(CDS, "foo");
      h.respond(response(CDS).version("1").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.stream().skipRequests();

      h.respond(response(CDS).version("2").nonce("B").garbage().garbage());

      Request refusal = h.stream().request();
      assertThat(refusal.isNack()).isTrue();
      w.nothing();
      assertThat(h.state(CDS, "foo")).isEqualTo("acked");
    }
  }
}
