// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.Checks.ack;
import static dev.holdfast.xds.client.conformance.Checks.cached;
import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.EDS;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.holdfast.xds.client.Resource;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When two resources are the same, and which of two in one response counts. */
class EqualityTest {
  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R24 other bytes with the same meaning are no news; the dump has the newest bytes")
  void r24OtherBytesWithTheSameMeaningAreNoNews(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(LDS, "foo");
      h.respond(response(LDS).version("1").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.advanceSeconds(1);
      ByteString longer =
          TestType.bytes("foo", "one")
              .concat(
                  UnknownFieldSet.newBuilder()
                      .addField(1000, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                      .build()
                      .toByteString());
      Any reworded = Any.newBuilder().setTypeUrl(LDS.typeUrl()).setValue(longer).build();

      h.respond(response(LDS).version("2").entry("foo", reworded));

      w.nothing();
      assertThat(cached(h, LDS, "foo").serialized()).isEqualTo(longer);
      assertThat(cached(h, LDS, "foo").version()).isEqualTo("2");
      assertThat(cached(h, LDS, "foo").updated()).isEqualTo(h.time.now());
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "H92 a later watcher hears the version that the dump has; nobody is told of a new version alone")
  void h92LateWatcherHearsTheVersionOfTheDump(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched early = h.watch(LDS, "foo");
      h.respond(response(LDS).version("1").resource("foo", "one"));
      h.respond(response(LDS).version("2").resource("foo", "one"));

      ClientHarness.Watched late = h.watch(LDS, "foo");

      assertThat(late.watcher.current()).isEqualTo(new Resource<>("foo", "2", "one"));
      assertThat(cached(h, LDS, "foo").version()).isEqualTo("2");
      assertThat(early.watcher.current()).isEqualTo(new Resource<>("foo", "1", "one"));
      assertThat(early.watcher.calls()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R25 duplicates in one response: the last one wins, told once, ACK")
  void r25LastDuplicateWins(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(EDS, "foo");
      h.stream().skipRequests();

      h.respond(
          response(EDS).version("1").nonce("A").resource("foo", "one").resource("foo", "two"));

      assertThat(w.resource()).isEqualTo("two");
      w.nothing();
      ack(h.stream(), "1", "A");
      assertThat(cached(h, EDS, "foo").serialized()).isEqualTo(TestType.bytes("foo", "two"));
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R25 a bad duplicate after a good one: the good one is used and the bad one told")
  void r25BadDuplicateAfterAGoodOne(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(EDS, "foo");
      h.stream().skipRequests();

      h.respond(
          response(EDS).version("1").nonce("A").resource("foo", "one").resource("foo", "bad:x"));

      assertThat(w.resource()).isEqualTo("one");
      Checks.says(w.ambient(), Status.Code.INVALID_ARGUMENT, "EDS resource foo", "x");
      w.nothing();
      assertThat(Checks.nack(h.stream(), "1", "A")).contains("resource index 1: foo: value: x");
      assertThat(h.state(EDS, "foo")).isEqualTo("nacked_but_cached");
      assertThat(h.observer.valid(SERVER, EDS)).isEqualTo(1);
      assertThat(h.observer.invalid(SERVER, EDS)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "R25 a good duplicate after a bad one: used without an error, but the server is told")
  void r25GoodDuplicateAfterABadOne(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(EDS, "foo");
      h.stream().skipRequests();

      h.respond(
          response(EDS).version("1").nonce("A").resource("foo", "bad:x").resource("foo", "one"));

      assertThat(w.resource()).isEqualTo("one");
      w.nothing();
      assertThat(Checks.nack(h.stream(), "1", "A")).contains("resource index 0: foo: value: x");
      assertThat(h.state(EDS, "foo")).isEqualTo("acked");
    }
  }
}
