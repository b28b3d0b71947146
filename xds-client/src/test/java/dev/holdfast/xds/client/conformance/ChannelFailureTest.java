// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.CDS;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static dev.holdfast.xds.client.fixture.TestType.RDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.AuthorityConfig;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.FakeStream;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Channels that fail and recover: checklist section 3.6. */
class ChannelFailureTest {
  private static final Status REFUSED = Status.UNAVAILABLE.withDescription("connection refused");

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "C62 channel failure before any response: everybody hears; the queued stream goes on")
  void c62ChannelFailureBeforeAnyResponse(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.servers.autoSend(false);
      ClientHarness.Watched current = h.watch(LDS, "foo");

      fail(h, SERVER);

      Status error = current.error();
      assertThat(error.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(error.getDescription())
          .contains("LDS resource foo", SERVER, "TRANSIENT_FAILURE", "connection refused")
          .endsWith("(node ID:node-1)");
      ClientHarness.Watched later = h.watch(LDS, "foo");
      assertThat(later.error().getDescription()).isEqualTo(error.getDescription());
      ClientHarness.Watched other = h.watch(CDS, "bar");
      assertThat(other.error().getDescription()).contains("CDS resource bar", "refused");
      assertThat(h.state(LDS, "foo")).isEqualTo("requested");
      assertThat(h.observer.connected(SERVER)).isFalse();
      assertThat(h.observer.failures(SERVER)).isEqualTo(1);

      FakeStream queued = h.stream();
      h.transport().connected();
      h.servers.autoSend(true);
      queued.sent();
      h.settle();
      h.respond(queued, response(LDS).resource("foo", "one"));
      assertThat(current.resource()).isEqualTo("one");
      assertThat(later.resource()).isEqualTo("one");
      h.respond(queued, response(CDS).resource("bar", "two"));
      assertThat(other.resource()).isEqualTo("two");
      assertThat(h.transport().streams()).hasSize(1);
      assertThat(h.observer.connected(SERVER)).isTrue();
      current.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "C63 channel failure with a cached resource is ambient; an identical response ends it")
  void c63ChannelFailureWithACachedResource(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched first = h.watch(RDS, "foo");
      h.respond(response(RDS).resource("foo", "one"));
      assertThat(first.resource()).isEqualTo("one");

      fail(h, SERVER);
      h.closeStream(REFUSED);

      Status ambient = first.ambient();
      assertThat(ambient.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(ambient.getDescription())
          .contains("RDS resource foo", "connection refused", "(node ID:node-1)");
      first.nothing();
      assertThat(h.state(RDS, "foo")).isEqualTo("acked");
      ClientHarness.Watched second = h.watch(RDS, "foo");
      assertThat(second.resource()).isEqualTo("one");
      assertThat(second.ambient().getDescription()).isEqualTo(ambient.getDescription());

      h.advanceSeconds(1);
      second.nothing();
      h.respond(response(RDS).version("2").resource("foo", "one"));
      assertThat(first.ambient()).isEqualTo(Status.OK);
      assertThat(second.ambient()).isEqualTo(Status.OK);
      first.nothing();
      second.nothing();
      ClientHarness.Watched third = h.watch(RDS, "foo");
      assertThat(third.resource()).isEqualTo("one");
      third.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C63 a repeated channel failure is told again only if it says something else")
  void c63RepeatedChannelFailureIsToldOncePerText(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(RDS, "foo");
      h.respond(response(RDS).resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");

      fail(h, SERVER);
      fail(h, SERVER);
      assertThat(w.ambient().getDescription()).contains("connection refused");
      w.nothing();

      h.transport().transientFailure(Status.UNAVAILABLE.withDescription("no route to host"));
      h.settle();
      assertThat(w.ambient().getDescription()).contains("no route to host");
      assertThat(h.observer.failures(SERVER)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C64 the failure of one authority's channel does not reach another's watchers")
  void c64FailureStaysWithinItsAuthority(AdsProtocol protocol) {
    ServerConfig other = ServerConfig.insecure("other.example:443");
    try (ClientHarness h =
        new ClientHarness(
            ClientHarness.config(protocol)
                .authorities(Map.of("other", AuthorityConfig.of(other)))
                .build())) {
      ClientHarness.Watched here = h.watch(LDS, "foo");
      ClientHarness.Watched there = h.watch(LDS, "xdstp://other/" + LDS.typeName() + "/foo");

      fail(h, "other.example:443");

      assertThat(there.error().getDescription()).contains("other.example:443");
      here.nothing();
      ClientHarness.Watched later = h.watch(LDS, "bar");
      later.nothing();
      assertThat(h.observer.connected(SERVER)).isTrue();
      assertThat(h.observer.connected("other.example:443")).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "H62 after recovery the ambient error of every type ends, also of types not sent again")
  void h62RecoveryClearsEveryType(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      List<ClientHarness.Watched> watched = new ArrayList<>();
      for (TestType type : TestType.all()) {
        ClientHarness.Watched w = h.watch(type, "foo");
        h.respond(response(type).resource("foo", "one"));
        assertThat(w.resource()).isEqualTo("one");
        watched.add(w);
      }
      fail(h, SERVER);
      h.closeStream(REFUSED);
      watched.forEach(w -> assertThat(w.ambient().isOk()).isFalse());
      h.advanceSeconds(1);

      h.respond(response(CDS).resource("foo", "one"));

      for (ClientHarness.Watched w : watched) {
        assertThat(w.ambient()).isEqualTo(Status.OK);
        w.nothing();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H63 with a channel error and a resource error, the end of one leaves the other")
  void h63ClearingTheChannelErrorKeepsTheResourceError(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(RDS, "foo");
      h.respond(response(RDS).resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.respond(response(RDS).version("2").resource("foo", "bad:too short"));
      Status resourceError = w.ambient();
      assertThat(resourceError.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(resourceError.getDescription()).contains("too short");

      fail(h, SERVER);
      h.closeStream(REFUSED);

      Status both = w.ambient();
      assertThat(both.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(both.getDescription())
          .contains("connection refused", "too short")
          .containsOnlyOnce("(node ID:node-1)");
      ClientHarness.Watched late = h.watch(RDS, "foo");
      assertThat(late.resource()).isEqualTo("one");
      assertThat(late.ambient().getDescription()).isEqualTo(both.getDescription());
      late.nothing();

      ClientHarness.Watched other = h.watch(CDS, "bar");
      assertThat(other.error().getDescription()).contains("connection refused");
      h.advanceSeconds(1);
      h.respond(response(CDS).resource("bar", "two"));

      Status remaining = w.ambient();
      assertThat(remaining.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(remaining.getDescription()).isEqualTo(resourceError.getDescription());
      w.nothing();

      h.respond(response(RDS).version("3").resource("foo", "one"));
      assertThat(w.ambient()).isEqualTo(Status.OK);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "H63 with nothing cached the newer of two errors gives the code, the older stays in it")
  void h63BothErrorsWithoutAResource(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(RDS, "foo");
      h.respond(response(RDS).resource("foo", "bad:too short"));
      assertThat(w.error().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);

      fail(h, SERVER);
      Status both = w.error();
      assertThat(both.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(both.getDescription()).contains("connection refused", "too short");

      h.respond(response(RDS).version("2").nonce("2").resource("foo", "bad:too short"));
      Status again = w.error();
      assertThat(again.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(again.getDescription()).contains("too short").doesNotContain("refused");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H63 an error of the resource that follows one of the channel comes first")
  void h63TheNewerErrorComesFirst(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(RDS, "foo");
      fail(h, SERVER); // the stream lives on, and with it the resource timer
      assertThat(w.error().getCode()).isEqualTo(Status.Code.UNAVAILABLE);

      h.advanceSeconds(15);

      Status both = w.error();
      assertThat(both.getCode()).isEqualTo(Status.Code.NOT_FOUND);
      assertThat(both.getDescription())
          .containsSubsequence("within 15 s", "; also: ", "connection refused");
      w.nothing();
    }
  }

  private static void fail(ClientHarness h, String uri) {
    h.transport(uri).transientFailure(REFUSED);
    h.settle();
  }
}
