// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static dev.holdfast.xds.client.fixture.TestType.RDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.AuthorityConfig;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.FakeStream;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Watches that end and begin anew around the request that says so: checklist section 3.6. */
class RevivedWatchTest {
  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C66 whoever comes back before the unsubscribe has left finds the cached resource")
  void c66ResubscribeBeforeTheUnsubscribeLeaves(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched foo = h.watch(LDS, "foo");
      h.respond(response(LDS).resource("foo", "one"));
      assertThat(foo.resource()).isEqualTo("one");
      h.servers.autoSend(false);
      ClientHarness.Watched bar = h.watch(LDS, "bar");
      FakeStream stream = h.stream();
      assertThat(stream.isSendPending()).isTrue();

      foo.cancel();
      assertThat(h.dump(LDS, "foo")).isNull();
      assertThat(h.observer.resources(LDS, "acked")).isZero();

      ClientHarness.Watched again = h.watch(LDS, "foo");
      assertThat(again.resource()).isEqualTo("one");
      assertThat(h.state(LDS, "foo")).isEqualTo("acked");

      stream.sent();
      h.settle();
      assertThat(stream.isSendPending()).isFalse(); // the server never knew
      assertThat(stream.subscribed(LDS)).containsExactly("bar", "foo");
      h.advanceSeconds(20);
      assertThat(bar.error().getCode()).isEqualTo(Status.Code.NOT_FOUND);
      again.nothing();
      assertThat(h.state(LDS, "foo")).isEqualTo("acked");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C66 the same for the last name of a type, and for an update that comes in between")
  void c66UpdateWhileNobodyWatchesIsFoundByWhoeverComesBack(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched foo = h.watch(LDS, "foo");
      h.respond(response(LDS).resource("foo", "one"));
      assertThat(foo.resource()).isEqualTo("one");
      h.servers.autoSend(false);
      h.watch(RDS, "bar");
      FakeStream stream = h.stream();

      foo.cancel();
      h.respond(response(LDS).version("2").nonce("B").resource("foo", "two"));
      ClientHarness.Watched again = h.watch(LDS, "foo");

      assertThat(again.resource()).isEqualTo("two");
      foo.nothing();
      h.servers.autoSend(true);
      stream.sent();
      h.settle();
      assertThat(stream.subscribed(LDS)).containsExactly("foo");
      h.advanceSeconds(20);
      again.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C66 a watch that ends for a replacement is revived at no cost")
  void c66CancelForReplacementAndBack(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched foo = h.watch(RDS, "foo");
      h.watch(LDS, "keeps the stream open");
      h.respond(response(RDS).resource("foo", "one"));
      assertThat(foo.resource()).isEqualTo("one");
      int requests = h.stream().received();

      foo.cancelForReplacement();
      assertThat(h.state(RDS, "foo")).isEqualTo("not shown");
      ClientHarness.Watched again = h.watch(RDS, "foo");

      assertThat(again.resource()).isEqualTo("one");
      assertThat(h.stream().received()).isEqualTo(requests);
      assertThat(h.stream().subscribed(RDS)).containsExactly("foo");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C66 once the unsubscribe has left, a new watch asks anew and waits for the answer")
  void c66ResubscribeAfterTheUnsubscribeHasLeft(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched foo = h.watch(RDS, "foo");
      h.watch(RDS, "other");
      h.respond(response(RDS).resource("foo", "one"));
      assertThat(foo.resource()).isEqualTo("one");
      foo.cancel();
      assertThat(h.stream().subscribed(RDS)).containsExactly("other");

      ClientHarness.Watched again = h.watch(RDS, "foo");

      again.nothing();
      assertThat(h.stream().subscribed(RDS)).containsExactly("foo", "other");
      assertThat(h.state(RDS, "foo")).isEqualTo("requested");
      h.respond(response(RDS).resource("foo", "one"));
      assertThat(again.resource()).isEqualTo("one");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C66 the same for the last watch of an authority that shares its server with others")
  void c66LastWatchOfAnAuthorityRevived(AdsProtocol protocol) {
    try (ClientHarness h = withAuthority(protocol, ServerConfig.insecure(SERVER))) {
      h.watch(LDS, "foo");
      ClientHarness.Watched w = h.watch(LDS, NAME);
      h.respond(response(LDS).resource("foo", "zero").resource(NAME, "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.servers.autoSend(false);
      h.watch(RDS, "bar");

      w.cancel();
      assertThat(h.state(LDS, NAME)).isEqualTo("not shown");
      ClientHarness.Watched again = h.watch(LDS, NAME);

      // The server is not going to send again what it does not know to have been given up.
      assertThat(again.resource()).isEqualTo("one");
      h.servers.autoSend(true);
      h.stream().sent();
      h.settle();
      assertThat(h.stream().subscribed(LDS)).containsExactly("foo", NAME);
      h.advanceSeconds(20);
      again.nothing();
      assertThat(h.state(LDS, NAME)).isEqualTo("acked");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C66 an authority that is only waiting to tell its server does not fall back")
  void c66AuthorityWithoutWatchesDoesNotFallBack(AdsProtocol protocol) {
    try (ClientHarness h =
        withAuthority(
            protocol, ServerConfig.insecure(SERVER), ServerConfig.insecure("fallback:2"))) {
      h.watch(LDS, "foo");
      ClientHarness.Watched w = h.watch(LDS, NAME);
      h.respond(response(LDS).resource("foo", "zero").resource(NAME, "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.servers.autoSend(false);
      h.watch(RDS, "bar");
      w.cancel();

      h.transport().transientFailure(Status.UNAVAILABLE.withDescription("refused"));
      h.settle();

      assertThat(h.servers.to("fallback:2")).isEmpty();
    }
  }

  private static final String NAME = "xdstp://a/" + LDS.typeName() + "/foo";

  private static ClientHarness withAuthority(AdsProtocol protocol, ServerConfig... servers) {
    AuthorityConfig a =
        new AuthorityConfig(List.of(servers), /* fallbackOnReachabilityOnly= */ true);
    return new ClientHarness(ClientHarness.config(protocol).authorities(Map.of("a", a)).build());
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C66 between streams, too, whoever comes back finds the cached resource")
  void c66ResubscribeWithoutAStream(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched foo = h.watch(RDS, "foo");
      h.watch(RDS, "other");
      h.respond(response(RDS).resource("foo", "one"));
      assertThat(foo.resource()).isEqualTo("one");
      h.closeStream(Status.UNAVAILABLE);

      foo.cancel();
      ClientHarness.Watched again = h.watch(RDS, "foo");
      assertThat(again.resource()).isEqualTo("one");
      h.advanceSeconds(1);
      assertThat(h.stream().subscribed(RDS)).containsExactly("foo", "other");

      h.closeStream(Status.UNAVAILABLE);
      assertThat(again.ambient().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      again.cancel();
      h.advanceSeconds(1);
      assertThat(h.stream().subscribed(RDS)).containsExactly("other");
    }
  }
}
