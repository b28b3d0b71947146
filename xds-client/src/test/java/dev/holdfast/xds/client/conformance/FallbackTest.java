// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static dev.holdfast.xds.client.fixture.TestType.RDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.AuthorityConfig;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.Request;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One server standing in for another (gRFC A71): checklist section 3.7. */
class FallbackTest {
  private static final String FIRST = "first:1";
  private static final String SECOND = "second:2";
  private static final Status REFUSED = Status.UNAVAILABLE.withDescription("connection refused");

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "C80 fallback starts when something is missing and ends when the first server answers")
  void c80FallbackForWhatIsMissing(AdsProtocol protocol) {
    try (ClientHarness h = twoServers(protocol)) {
      ClientHarness.Watched foo = h.watch(RDS, "foo");
      h.respond(h.stream(FIRST), response(RDS).version("20").resource("foo", "first"));
      assertThat(foo.resource()).isEqualTo("first");
      h.stream(FIRST).skipRequests();

      // Everything is cached: an ambient error, nothing more.
      fail(h, FIRST);
      assertThat(foo.ambient().getDescription()).contains(FIRST, "connection refused");
      assertThat(h.servers.to(SECOND)).isEmpty();

      // Something new is not: both servers are asked for all of it.
      ClientHarness.Watched bar = h.watch(RDS, "bar");
      bar.nothing();
      assertThat(h.stream(FIRST).subscribed(RDS)).containsExactly("bar", "foo");
      Request request = h.stream(SECOND).request();
      assertThat(request.names()).containsExactlyInAnyOrder("foo", "bar");
      assertThat(request.versionOf("foo")).isEmpty();
      assertThat(request.nonce()).isEmpty();
      assertThat(request.node()).isNotNull();
      ClientHarness.Watched meanwhile = h.watch(RDS, "foo");
      assertThat(meanwhile.resource()).isEqualTo("first");
      assertThat(meanwhile.ambient().getDescription()).contains(FIRST, "connection refused");
      h.watch(RDS, "baz");
      assertThat(h.stream(FIRST).subscribed(RDS)).containsExactly("bar", "baz", "foo");
      assertThat(h.stream(SECOND).subscribed(RDS)).containsExactly("bar", "baz", "foo");

      h.respond(
          h.stream(SECOND),
          response(RDS).version("5").resource("foo", "second").resource("bar", "second too"));
      assertThat(foo.resource()).isEqualTo("second"); // which ends the ambient error, too
      assertThat(bar.resource()).isEqualTo("second too");
      foo.nothing();
      ClientHarness.Watched late = h.watch(RDS, "foo");
      assertThat(late.resource()).isEqualTo("second");
      late.nothing();
      assertThat(h.observer.connected(FIRST)).isFalse();
      assertThat(h.observer.connected(SECOND)).isTrue();

      // The first server is back.
      h.respond(h.stream(FIRST), response(RDS).version("21").resource("foo", "first"));
      assertThat(foo.resource()).isEqualTo("first");
      bar.nothing();
      assertThat(h.transport(SECOND).isClosed()).isTrue();
      assertThat(h.observer.connected(FIRST)).isTrue();
      assertThat(h.observer.connected(SECOND)).isNull();
      h.respond(h.stream(FIRST), response(RDS).version("22").resource("bar", "first too"));
      assertThat(bar.resource()).isEqualTo("first too");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C80 a fallback that sends the same content only ends the ambient error")
  void c80FallbackWithTheSameContent(AdsProtocol protocol) {
    try (ClientHarness h = twoServers(protocol)) {
      ClientHarness.Watched foo = h.watch(RDS, "foo");
      h.respond(h.stream(FIRST), response(RDS).resource("foo", "same"));
      assertThat(foo.resource()).isEqualTo("same");
      fail(h, FIRST);
      assertThat(foo.ambient().isOk()).isFalse();
      ClientHarness.Watched bar = h.watch(RDS, "bar");
      RDS.takeDecodings();

      h.respond(h.stream(SECOND), response(RDS).resource("foo", "same"));
      assertThat(RDS.takeDecodings()).isEqualTo(1); // what bytes mean depends on who sends them
      assertThat(foo.ambient()).isEqualTo(Status.OK);
      foo.nothing();
      bar.nothing();

      h.respond(h.stream(FIRST), response(RDS).resource("foo", "same"));
      foo.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C81 watchers hear only when the last server has failed, and what that one said")
  void c81BothServersFail(AdsProtocol protocol) {
    try (ClientHarness h = twoServers(protocol)) {
      ClientHarness.Watched w = h.watch(LDS, "foo");
      fail(h, FIRST);
      w.nothing();
      ClientHarness.Watched late = h.watch(LDS, "foo");
      late.nothing();

      h.transport(SECOND).transientFailure(Status.UNAVAILABLE.withDescription("no route"));
      h.settle();

      Status error = w.error();
      assertThat(error.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(error.getDescription())
          .contains("LDS resource foo", SECOND, "no route", "(node ID:node-1)")
          .doesNotContain(FIRST);
      assertThat(late.error().getDescription()).isEqualTo(error.getDescription());
      assertThat(h.state(LDS, "foo")).isEqualTo("requested");
      ClientHarness.Watched later = h.watch(LDS, "foo");
      assertThat(later.error().getDescription()).isEqualTo(error.getDescription());

      h.respond(h.stream(SECOND), response(LDS).resource("foo", "second"));
      assertThat(w.resource()).isEqualTo("second");
      assertThat(later.resource()).isEqualTo("second");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C82 fallback at startup, and back")
  void c82FallbackAtStartup(AdsProtocol protocol) {
    try (ClientHarness h = twoServers(protocol)) {
      ClientHarness.Watched w = h.watch(LDS, "foo");
      h.closeStream(h.stream(FIRST), REFUSED);

      w.nothing();
      h.respond(h.stream(SECOND), response(LDS).version("5").resource("foo", "second"));
      assertThat(w.resource()).isEqualTo("second");
      assertThat(h.observer.failures(FIRST)).isEqualTo(1);
      assertThat(h.observer.failures(SECOND)).isZero();

      h.advanceSeconds(1);
      Request request = h.stream(FIRST).request();
      assertThat(request.names()).containsExactly("foo");
      assertThat(request.versionOf("foo")).isEmpty(); // what there is came from elsewhere
      h.respond(h.stream(FIRST), response(LDS).version("1").resource("foo", "first"));
      assertThat(w.resource()).isEqualTo("first");
      assertThat(h.transport(SECOND).isClosed()).isTrue();
      w.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C82 a first server that cannot even be connected to is stood in for")
  void c82FallbackWhenTheFirstTransportCannotBeMade(AdsProtocol protocol) {
    try (ClientHarness h = twoServers(protocol)) {
      h.servers.unusable(FIRST, new IllegalStateException("no certificate"));
      ClientHarness.Watched w = h.watch(LDS, "foo");

      w.nothing();
      h.respond(h.stream(SECOND), response(LDS).resource("foo", "second"));
      assertThat(w.resource()).isEqualTo("second");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C83 with fallback_on_reachability_only a failure is enough, though all is cached")
  void c83ReachabilityOnly(AdsProtocol protocol) {
    try (ClientHarness h = authority(protocol, /* reachabilityOnly= */ true)) {
      ClientHarness.Watched w = h.watch(LDS, NAME);
      h.respond(h.stream(FIRST), response(LDS).resource(NAME, "first"));
      assertThat(w.resource()).isEqualTo("first");

      fail(h, FIRST);

      w.nothing(); // there is still a server that may answer
      assertThat(h.stream(SECOND).subscribed(LDS)).containsExactly(NAME);
      h.respond(h.stream(SECOND), response(LDS).resource(NAME, "second"));
      assertThat(w.resource()).isEqualTo("second");
      h.respond(h.stream(FIRST), response(LDS).resource(NAME, "first"));
      assertThat(w.resource()).isEqualTo("first");
      assertThat(h.transport(SECOND).isClosed()).isTrue();

      fail(h, FIRST);
      fail(h, SECOND);
      assertThat(w.ambient().getDescription()).contains(SECOND, "connection refused");
      w.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C84 without fallback_on_reachability_only a failure is ambient while all is cached")
  void c84NotReachabilityOnly(AdsProtocol protocol) {
    try (ClientHarness h = authority(protocol, /* reachabilityOnly= */ false)) {
      ClientHarness.Watched w = h.watch(LDS, NAME);
      h.respond(h.stream(FIRST), response(LDS).resource(NAME, "first"));
      assertThat(w.resource()).isEqualTo("first");

      fail(h, FIRST);

      assertThat(w.ambient().getDescription()).contains(FIRST, "connection refused");
      assertThat(h.servers.to(SECOND)).isEmpty();
    }
  }

  private static final String NAME = "xdstp://a/" + LDS.typeName() + "/foo";

  private static ClientHarness authority(AdsProtocol protocol, boolean reachabilityOnly) {
    AuthorityConfig a =
        new AuthorityConfig(
            List.of(ServerConfig.insecure(FIRST), ServerConfig.insecure(SECOND)), reachabilityOnly);
    return new ClientHarness(ClientHarness.config(protocol).authorities(Map.of("a", a)).build());
  }

  private static ClientHarness twoServers(AdsProtocol protocol) {
    return new ClientHarness(
        ClientHarness.config(protocol)
            .servers(ServerConfig.insecure(FIRST), ServerConfig.insecure(SECOND))
            .build());
  }

  private static void fail(ClientHarness h, String uri) {
    h.transport(uri).transientFailure(REFUSED);
    h.settle();
  }
}
