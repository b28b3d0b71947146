// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.CDS;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.AuthorityConfig;
import dev.holdfast.xds.client.Credentials;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.FakeTransport;
import dev.holdfast.xds.client.fixture.Request;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who shares a connection, and when it is let go: checklist sections 3.6 and 3.7. */
class ConnectionSharingTest {
  private static final String A = "xdstp://a/" + LDS.typeName() + "/foo";
  private static final String B = "xdstp://b/" + LDS.typeName() + "/foo";

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G63 authorities with equal server configurations share one stream")
  void g63EqualServerConfigsShareOneStream(AdsProtocol protocol) {
    try (ClientHarness h = withAuthorities(protocol, server(), server())) {
      ClientHarness.Watched old = h.watch(LDS, "foo");
      ClientHarness.Watched a = h.watch(LDS, A);
      ClientHarness.Watched b = h.watch(LDS, B);

      assertThat(h.servers.all()).hasSize(1);
      assertThat(h.transport().streams()).hasSize(1);
      assertThat(h.stream().subscribed(LDS)).containsExactly("foo", A, B);
      h.respond(response(LDS).resource("foo", "0").resource(A, "1").resource(B, "2"));
      assertThat(old.resource()).isEqualTo("0");
      assertThat(a.resource()).isEqualTo("1");
      assertThat(b.resource()).isEqualTo("2");
      assertThat(h.observer.resources())
          .containsExactlyInAnyOrderEntriesOf(
              Map.of("#old LDS acked", 1, "a LDS acked", 1, "b LDS acked", 1));
    }
  }

  @Test
  @DisplayName("G63 a difference in features, credentials or address makes another connection")
  void g63DifferentFeaturesOrCredentialsDoNotShare() {
    ServerConfig features = ServerConfig.insecure(SERVER, ServerFeature.FAIL_ON_DATA_ERRORS);
    ServerConfig credentials =
        new ServerConfig(
            SERVER, new Credentials("tls", Map.of("ca_certificate_file", "x")), Set.of());
    try (ClientHarness h = withAuthorities(AdsProtocol.SOTW, features, credentials)) {
      h.watch(LDS, "foo");
      h.watch(LDS, A);
      h.watch(LDS, B);

      assertThat(h.servers.to(SERVER))
          .extracting(transport -> transport.server)
          .containsExactly(server(), features, credentials);
      assertThat(h.servers.to(SERVER))
          .extracting(transport -> transport.stream().subscribed(LDS))
          .containsExactly(Set.of("foo"), Set.of(A), Set.of(B));
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G63 the last watch takes the connection with it; the next starts from nothing")
  void g63ConnectionClosesWithTheLastWatch(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(LDS, "foo");
      h.respond(response(LDS).version("9").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      FakeTransport first = h.transport();
      int requests = first.stream().received();

      w.cancel();

      assertThat(first.isClosed()).isTrue();
      assertThat(first.streams().get(0).isCancelled()).isTrue();
      assertThat(first.streams().get(0).received()).isEqualTo(requests);
      assertThat(h.observer.connected(SERVER)).isNull();
      assertThat(h.time.pending()).isEmpty();

      ClientHarness.Watched again = h.watch(LDS, "foo");
      again.nothing();
      assertThat(h.transport()).isNotSameAs(first);
      Request request = h.stream().request();
      assertThat(request.versionOf("foo")).isEmpty();
      assertThat(request.nonce()).isEmpty();
      assertThat(requireNonNull(request.node()).getId()).isEqualTo("node-1");
    }
  }

  @Test
  @DisplayName("G63 the last watch ends a connection that is only waiting to be tried again")
  void g63ConnectionInBackoffClosesWithTheLastWatch() {
    try (ClientHarness h = ClientHarness.sotw()) {
      ClientHarness.Watched w = h.watch(LDS, "foo");
      h.closeStream(Status.UNAVAILABLE);
      assertThat(w.error().getCode()).isEqualTo(Status.Code.UNAVAILABLE);

      w.cancel();

      assertThat(h.transport().isClosed()).isTrue();
      assertThat(h.time.pending()).isEmpty();
      ClientHarness.Watched again = h.watch(LDS, "foo");
      again.nothing(); // a new connection has not failed yet
      assertThat(h.stream().subscribed(LDS)).containsExactly("foo");
    }
  }

  @Test
  @DisplayName("G63 one watch for another within a turn keeps the connection")
  void g63ReplacingTheOnlyWatchInOneTurnKeepsTheConnection() {
    try (ClientHarness h = ClientHarness.sotw()) {
      ClientHarness.Watched w = h.watch(LDS, "foo");
      w.watch.cancel();
      h.watch(LDS, "bar");

      assertThat(h.servers.all()).hasSize(1);
      assertThat(h.transport().streams()).hasSize(1);
      assertThat(h.stream().subscribed(LDS)).containsExactly("bar");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("the names of an authority that nobody watches any more leave a shared stream")
  void namesOfAnAbandonedAuthorityLeaveTheSharedStream(AdsProtocol protocol) {
    try (ClientHarness h = withAuthorities(protocol, server(), server())) {
      h.watch(LDS, "foo");
      ClientHarness.Watched a = h.watch(LDS, A);
      ClientHarness.Watched cds = h.watch(CDS, A.replace(LDS.typeName(), CDS.typeName()));
      h.respond(response(LDS).nonce("A").resource("foo", "0").resource(A, "1"));
      assertThat(a.resource()).isEqualTo("1");

      a.cancel();
      assertThat(h.stream().subscribed(LDS)).containsExactly("foo");
      cds.cancel();

      assertThat(h.stream().subscribed(CDS)).isEmpty();
      assertThat(h.stream().subscribed(LDS)).containsExactly("foo");
      assertThat(h.transport().streams()).hasSize(1);
      assertThat(h.observer.resources()).containsOnlyKeys("#old LDS acked");

      ClientHarness.Watched again = h.watch(LDS, A);
      again.nothing();
      assertThat(h.stream().subscribed(LDS)).containsExactly("foo", A);
      h.respond(response(LDS).nonce("B").resource("foo", "0").resource(A, "1"));
      assertThat(again.resource()).isEqualTo("1");
    }
  }

  private static ServerConfig server() {
    return ServerConfig.insecure(SERVER);
  }

  private static ClientHarness withAuthorities(
      AdsProtocol protocol, ServerConfig a, ServerConfig b) {
    return new ClientHarness(
        ClientHarness.config(protocol)
            .authorities(Map.of("a", AuthorityConfig.of(a), "b", AuthorityConfig.of(b)))
            .build());
  }
}
