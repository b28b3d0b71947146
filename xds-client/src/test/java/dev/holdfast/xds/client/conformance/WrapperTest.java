// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.Checks.ack;
import static dev.holdfast.xds.client.conformance.Checks.cached;
import static dev.holdfast.xds.client.conformance.Checks.nack;
import static dev.holdfast.xds.client.conformance.Checks.says;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.CDS;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.grpc.Status;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Resources in wrappers, and entries that are not what they should be. */
class WrapperTest {
  private static final ByteString GARBAGE = ByteString.copyFrom(new byte[] {0x0a, 0x7f, 1});

  private static Any pack(Resource.Builder wrapper) {
    return Any.pack(wrapper.build());
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R13 the wrapper's name wins over the inner name")
  void r13WrapperNameWins(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched outer = h.watch(LDS, "outer");
      ClientHarness.Watched inner = h.watch(LDS, "inner");
      h.stream().skipRequests();

      h.respond(response(LDS).version("1").nonce("A").wrapped("outer", "inner", "one"));

      assertThat(outer.resource()).isEqualTo("one");
      inner.nothing();
      ack(h.stream(), "1", "A");
      assertThat(cached(h, LDS, "outer").serialized()).isEqualTo(TestType.bytes("inner", "one"));
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R13 a wrapper without a name: the inner name counts")
  void r13EmptyWrapperName(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(LDS, "foo");
      h.stream().skipRequests();

      h.respond(response(LDS).version("1").nonce("A").wrapped("", "foo", "one"));

      assertThat(w.resource()).isEqualTo("one");
      ack(h.stream(), "1", "A");
    }
  }

  @Test
  @DisplayName("R13 SotW: a wrapper's version is the resource's; without one the response's counts")
  void r13WrapperVersion() {
    try (ClientHarness h = ClientHarness.sotw()) {
      ClientHarness.Watched own = h.watch(LDS, "own");
      ClientHarness.Watched none = h.watch(LDS, "none");
      h.stream().skipRequests();

      h.respond(
          response(LDS)
              .version("7")
              .nonce("A")
              .entry(
                  "",
                  pack(
                      Resource.newBuilder()
                          .setName("own")
                          .setVersion("v-own")
                          .setResource(LDS.any("own", "x"))))
              .entry(
                  "",
                  pack(Resource.newBuilder().setName("none").setResource(LDS.any("none", "y")))));

      assertThat(Objects.requireNonNull(own.watcher.current()).version()).isEqualTo("v-own");
      assertThat(Objects.requireNonNull(none.watcher.current()).version()).isEqualTo("7");
      ack(h.stream(), "7", "A");
    }
  }

  @Test
  @DisplayName("R13 a wrapper around nothing that has a name: that resource is NACKED, not deleted")
  void r13WrapperAroundNothing() {
    try (ClientHarness h = ClientHarness.sotw()) {
      ClientHarness.Watched w = h.watch(CDS, "foo");
      h.respond(response(CDS).version("1").nonce("A").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.stream().skipRequests();

      h.respond(
          response(CDS)
              .version("2")
              .nonce("B")
              .entry("", pack(Resource.newBuilder().setName("foo"))));

      says(w.ambient(), Status.Code.INVALID_ARGUMENT, "CDS resource foo", "holds no resource");
      assertThat(nack(h.stream(), "1", "B")).contains("resource index 0: foo: ");
      assertThat(h.state(CDS, "foo")).isEqualTo("nacked_but_cached");
    }
  }

  @Test
  @DisplayName("R13 a wrapper around nothing without a name: NACK, nobody told, nothing deleted")
  void r13UnnamedWrapperAroundNothing() {
    try (ClientHarness h = ClientHarness.sotw(ServerFeature.FAIL_ON_DATA_ERRORS)) {
      ClientHarness.Watched w = h.watch(CDS, "foo");
      h.respond(response(CDS).version("1").nonce("A").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.stream().skipRequests();

      h.respond(response(CDS).version("2").nonce("B").entry("", pack(Resource.newBuilder())));

      assertThat(nack(h.stream(), "1", "B"))
          .contains("resource index 0: the wrapper holds no resource");
      w.nothing();
      assertThat(h.state(CDS, "foo")).isEqualTo("acked");
    }
  }

  @Test
  @DisplayName("R13 Delta: a wrapper around nothing with the version we have says: still the same")
  void r13DeltaHeartbeat() {
    try (ClientHarness h = ClientHarness.delta()) {
      ClientHarness.Watched w = h.watch(CDS, "foo");
      h.respond(response(CDS).version("1").nonce("A").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.stream().skipRequests();
      h.advanceSeconds(3);

      deliver(h, "B", Resource.newBuilder().setName("foo").setVersion("1"));
      ack(h.stream(), "", "B");
      w.nothing();
      assertThat(cached(h, CDS, "foo").updated()).isEqualTo(h.time.now());

      deliver(h, "C", Resource.newBuilder().setName("foo").setVersion("2"));
      says(w.ambient(), Status.Code.INVALID_ARGUMENT, "CDS resource foo", "holds no resource");
      nack(h.stream(), "", "C");
    }
  }

  private static void deliver(ClientHarness h, String nonce, Resource.Builder wrapper) {
    h.stream()
        .deliver(
            DeltaDiscoveryResponse.newBuilder()
                .setTypeUrl(CDS.typeUrl())
                .setNonce(nonce)
                .addResources(wrapper)
                .build()
                .toByteString());
    h.settle();
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R14 undecodable, but the wrapper names it: NACKED and kept, not deleted")
  void r14UndecodableInANamedWrapper(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(LDS, "foo");
      h.respond(response(LDS).version("1").nonce("A").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.stream().skipRequests();
      Any broken = Any.newBuilder().setTypeUrl(LDS.typeUrl()).setValue(GARBAGE).build();

      h.respond(
          response(LDS)
              .version("2")
              .nonce("B")
              .entry(
                  "foo",
                  protocol == AdsProtocol.SOTW
                      ? pack(Resource.newBuilder().setName("foo").setResource(broken))
                      : broken));

      says(w.ambient(), Status.Code.INVALID_ARGUMENT, "LDS resource foo", "not a test resource");
      nack(h.stream(), "1", "B");
      assertThat(h.state(LDS, "foo")).isEqualTo("nacked_but_cached");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.holdfast.xds.client.conformance.Checks#protocolsAndTypes")
  @DisplayName("R15 wrong type inside a response: NACK with both types; unnamed, so nobody is told")
  void r15WrongTypeWithoutAName(AdsProtocol protocol, TestType type) {
    TestType wrong = type == CDS ? LDS : CDS;
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(type, "foo");
      h.respond(response(type).version("1").nonce("A").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.stream().skipRequests();

      h.respond(response(type).version("2").nonce("B").entry("", wrong.any("foo", "two")));

      assertThat(nack(h.stream(), "1", "B"))
          .contains(
              "resource index 0: incorrect resource type \""
                  + wrong.typeUrl()
                  + "\" (should be "
                  + type.typeUrl()
                  + ")");
      w.nothing();
      assertThat(h.state(type, "foo")).isEqualTo("acked");
    }
  }

  @Test
  @DisplayName("R15 wrong type in a wrapper with a name: told to that name's watchers")
  void r15WrongTypeWithAName() {
    try (ClientHarness h = ClientHarness.delta()) {
      ClientHarness.Watched w = h.watch(CDS, "foo");
      h.stream().skipRequests();

      h.respond(response(CDS).version("1").nonce("A").entry("foo", LDS.any("foo", "x")));

      says(w.error(), Status.Code.INVALID_ARGUMENT, "CDS resource foo", LDS.typeUrl());
      assertThat(nack(h.stream(), "", "A")).contains("resource index 0: foo: incorrect resource");
    }
  }

  @Test
  @DisplayName("R13 Delta: a wrapper inside a wrapper is a wrong type")
  void r13WrapperInsideAWrapper() {
    try (ClientHarness h = ClientHarness.delta()) {
      ClientHarness.Watched w = h.watch(CDS, "foo");
      h.stream().skipRequests();

      h.respond(
          response(CDS)
              .version("1")
              .nonce("A")
              .entry("foo", pack(Resource.newBuilder().setResource(CDS.any("foo", "x")))));

      says(w.error(), Status.Code.INVALID_ARGUMENT, "CDS resource foo", "incorrect resource type");
      nack(h.stream(), "", "A");
    }
  }
}
