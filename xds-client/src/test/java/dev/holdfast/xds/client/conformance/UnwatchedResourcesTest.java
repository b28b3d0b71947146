// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.Checks.ack;
import static dev.holdfast.xds.client.conformance.Checks.cached;
import static dev.holdfast.xds.client.conformance.Checks.nack;
import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.CDS;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import dev.holdfast.xds.client.AuthorityConfig;
import dev.holdfast.xds.client.Completeness;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.transport.AdsProtocol;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Resources that come although nobody asked for them are neither used nor judged. */
class UnwatchedResourcesTest {
  private static ClientHarness withAuthority(AdsProtocol protocol) {
    return new ClientHarness(
        ClientHarness.config(protocol)
            .authorities(Map.of("auth", AuthorityConfig.of(ServerConfig.insecure(SERVER))))
            .build());
  }

  private static String xdstp(TestType type, String id) {
    return "xdstp://auth/" + type.typeName() + "/" + id;
  }

  @ParameterizedTest
  @MethodSource("dev.holdfast.xds.client.conformance.Checks#protocolsAndTypes")
  @DisplayName("G01 a response holding an unwatched resource does not call the watcher")
  void g01UnwatchedResourceCallsNobody(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(type, "foo");
      h.stream().skipRequests();

      h.respond(response(type).version("1").nonce("A").resource("bar", "one"));

      w.nothing();
      ack(h.stream(), "1", "A");
      assertThat(h.state(type, "foo")).isEqualTo("requested");
      assertThat(h.dump()).hasSize(1);
      assertThat(h.observer.valid(SERVER, type)).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("dev.holdfast.xds.client.conformance.Checks#protocolsAndTypes")
  @DisplayName("G01 the same with xdstp names: id, authority and parameters tell them apart")
  void g01UnwatchedXdstpResourceCallsNobody(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = withAuthority(protocol)) {
      ClientHarness.Watched w = h.watch(type, xdstp(type, "foo?k=1"));
      h.stream().skipRequests();

      h.respond(
          response(type)
              .version("1")
              .nonce("A")
              .resource(xdstp(type, "bar?k=1"), "other id")
              .resource(xdstp(type, "foo?k=2"), "other parameter")
              .resource("xdstp://else/" + type.typeName() + "/foo?k=1", "other authority")
              .resource("foo", "old style"));

      w.nothing();
      ack(h.stream(), "1", "A");
      assertThat(h.dump()).hasSize(1);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.holdfast.xds.client.conformance.Checks#protocolsAndTypes")
  @DisplayName("G01 a watched xdstp name is found whatever the order of its parameters")
  void g01WatchedXdstpResourceIsFound(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = withAuthority(protocol)) {
      ClientHarness.Watched w = h.watch(type, xdstp(type, "foo?a=1&b=2"));

      h.respond(response(type).resource(xdstp(type, "foo?b=2&a=1"), "one"));

      assertThat(w.resource()).isEqualTo("one");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.holdfast.xds.client.conformance.Checks#protocolsAndTypes")
  @DisplayName("G06 two resources when one was requested: that one is used, the response ACKed")
  void g06TheRequestedOneIsUsed(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(type, "foo");
      h.stream().skipRequests();

      h.respond(
          response(type).version("1").nonce("A").resource("extra", "x").resource("foo", "one"));

      assertThat(w.resource()).isEqualTo("one");
      w.nothing();
      ack(h.stream(), "1", "A");
      assertThat(h.dump()).hasSize(1);
      assertThat(h.observer.valid(SERVER, type)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R26 a resource that is watched only later was not kept")
  void r26UnwatchedResourceIsNotKept(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(CDS, "foo");
      h.respond(response(CDS).resource("foo", "one").resource("bar", "two"));

      ClientHarness.Watched later = h.watch(CDS, "bar");

      later.nothing();
      assertThat(h.state(CDS, "bar")).isEqualTo("requested");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.holdfast.xds.client.conformance.Checks#protocolsAndTypes")
  @DisplayName("H22 a bad resource nobody subscribed to is ignored: ACK, not counted")
  void h22BadResourceNobodySubscribedToIsIgnored(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(type, "foo");
      h.stream().skipRequests();

      h.respond(
          response(type)
              .version("1")
              .nonce("A")
              .resource("stranger", "bad:x")
              .resource("foo", "one")
              .resource("thrower", "throw:y"));

      assertThat(w.resource()).isEqualTo("one");
      w.nothing();
      ack(h.stream(), "1", "A");
      assertThat(h.observer.invalid(SERVER, type)).isZero();
      assertThat(h.observer.nacks()).isEmpty();
      assertThat(h.dump()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H22 a stranger whose wrapper names it is ignored even if its type is wrong")
  void h22StrangerOfAWrongTypeIsIgnored(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(LDS, "foo");
      h.stream().skipRequests();

      h.respond(
          response(LDS)
              .version("1")
              .nonce("A")
              .resource("foo", "one")
              .entry(
                  "stranger",
                  protocol == AdsProtocol.SOTW
                      ? Any.pack(
                          io.envoyproxy.envoy.service.discovery.v3.Resource.newBuilder()
                              .setName("stranger")
                              .setResource(CDS.any("stranger", "x"))
                              .build())
                      : CDS.any("stranger", "x")));

      ack(h.stream(), "1", "A");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H22 the same for a type whose names cannot be read without decoding")
  void h22HoldsWithoutPeeking(AdsProtocol protocol) {
    TestType type = TestType.withoutPeeking("Custom", "example.Custom", Completeness.FULL);
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(type, "foo");
      h.stream().skipRequests();

      h.respond(
          response(type)
              .version("1")
              .nonce("A")
              .entry("", type.any("stranger", "bad:x"))
              .entry("", type.any("foo", "one"))
              .entry("", type.any("other", "two")));

      assertThat(w.resource()).isEqualTo("one");
      ack(h.stream(), "1", "A");
      assertThat(h.dump()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R26 a name that is no name cannot be anybody's: NACK, and absence means nothing")
  void r26MalformedNameIsRefused(AdsProtocol protocol) {
    try (ClientHarness h = withAuthority(protocol)) {
      ClientHarness.Watched w = h.watch(CDS, "foo");
      h.respond(response(CDS).version("1").nonce("A").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.stream().skipRequests();

      h.respond(response(CDS).version("2").nonce("B").resource("xdstp:broken", "two"));

      assertThat(nack(h.stream(), "1", "B"))
          .contains("resource index 0: xdstp:broken: name: malformed name xdstp:broken");
      w.nothing();
      assertThat(h.state(CDS, "foo")).isEqualTo("acked");
      assertThat(cached(h, CDS, "foo").version()).isEqualTo("1");
      assertThat(h.observer.invalid(SERVER, CDS)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R26 an xdstp name of another type is refused in the same way")
  void r26NameOfAnotherTypeIsRefused(AdsProtocol protocol) {
    try (ClientHarness h = withAuthority(protocol)) {
      h.watch(CDS, "foo");
      h.stream().skipRequests();

      h.respond(response(CDS).version("1").nonce("A").resource(xdstp(LDS, "foo"), "x"));

      assertThat(nack(h.stream(), "", "A"))
          .contains(LDS.typeName(), "(expected: " + CDS.typeName() + ")");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R26 without federation an xdstp name is a name like any other")
  void r26WithoutFederationAnyNameIsAName(AdsProtocol protocol) {
    try (ClientHarness h =
        new ClientHarness(
            ClientHarness.config(protocol)
                .behaviour(ClientHarness.behaviour().withFederation(false))
                .build())) {
      h.watch(CDS, "foo");
      h.stream().skipRequests();

      h.respond(response(CDS).version("1").nonce("A").resource("xdstp:broken", "two"));

      ack(h.stream(), "1", "A");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R26 a resource without a name is refused, not ignored")
  void r26ResourceWithoutANameIsRefused(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(CDS, "foo");
      h.respond(response(CDS).version("1").nonce("A").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.stream().skipRequests();

      h.respond(response(CDS).version("2").nonce("B").entry("", CDS.any("", "two")));

      assertThat(nack(h.stream(), "1", "B")).contains("resource index 0: name: ");
      w.nothing();
      assertThat(h.state(CDS, "foo")).isEqualTo("acked");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R26 an empty message of the right type is a resource without a name")
  void r26EmptyMessageIsRefused(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(LDS, "foo");
      h.respond(response(LDS).version("1").nonce("A").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.stream().skipRequests();
      Any empty = Any.newBuilder().setTypeUrl(LDS.typeUrl()).setValue(ByteString.EMPTY).build();

      h.respond(response(LDS).version("2").nonce("B").entry("", empty));

      nack(h.stream(), "1", "B");
      w.nothing();
      assertThat(h.state(LDS, "foo")).isEqualTo("acked");
    }
  }
}
