// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.Checks.noRequest;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static dev.holdfast.xds.client.fixture.TestType.RDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.FakeStream;
import dev.holdfast.xds.client.fixture.Request;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Going and coming back: what the cache still knows and what the server is told. */
class ResubscribingTest {
  /** A client whose stream does not end with the last route. */
  private static ClientHarness withAStreamThatStays(AdsProtocol protocol) {
    ClientHarness h = ClientHarness.of(protocol);
    h.watch(LDS, "keeps-the-stream");
    return h;
  }

  private static void send(ClientHarness h) {
    h.stream().sent();
    h.settle();
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R33 back before the server was told: the cached copy at once, no request, no timer")
  void r33BackBeforeTheServerWasTold(AdsProtocol protocol) {
    try (ClientHarness h = withAStreamThatStays(protocol)) {
      ClientHarness.Watched first = h.watch(RDS, "foo");
      FakeStream stream = h.stream();
      h.servers.autoSend(false);
      h.respond(response(RDS).version("1").nonce("A").resource("foo", "one"));
      assertThat(first.resource()).isEqualTo("one");
      assertThat(stream.isSendPending()).as("the ACK is in flight").isTrue();
      stream.skipRequests();

      first.cancel();
      assertThat(h.state(RDS, "foo")).as("hidden meanwhile").isEqualTo("not shown");
      ClientHarness.Watched again = h.watch(RDS, "foo");

      assertThat(again.resource()).isEqualTo("one");
      send(h);
      noRequest(stream);
      assertThat(h.state(RDS, "foo")).isEqualTo("acked");
      h.advanceSeconds(60);
      again.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R33 back after the server was told: asked for anew, and the same version counts")
  void r33BackAfterTheServerWasTold(AdsProtocol protocol) {
    try (ClientHarness h = withAStreamThatStays(protocol)) {
      ClientHarness.Watched first = h.watch(RDS, "foo");
      h.respond(response(RDS).version("1").nonce("A").resource("foo", "one"));
      assertThat(first.resource()).isEqualTo("one");
      FakeStream stream = h.stream();
      first.cancel();
      stream.skipRequests();

      ClientHarness.Watched again = h.watch(RDS, "foo");

      again.nothing();
      assertThat(h.state(RDS, "foo")).isEqualTo("requested");
      assertThat(stream.request().names()).containsExactly("foo");
      h.respond(response(RDS).version("1").nonce("B").resource("foo", "one"));
      assertThat(again.resource()).isEqualTo("one");
      first.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R33 back while the unsubscription is in flight: the server hears both, in order")
  void r33BackWhileTheUnsubscriptionIsInFlight(AdsProtocol protocol) {
    try (ClientHarness h = withAStreamThatStays(protocol)) {
      ClientHarness.Watched first = h.watch(RDS, "foo");
      h.respond(response(RDS).version("1").nonce("A").resource("foo", "one"));
      assertThat(first.resource()).isEqualTo("one");
      FakeStream stream = h.stream();
      stream.skipRequests();
      h.servers.autoSend(false);
      first.cancel();
      assertThat(stream.request().names()).isEmpty();

      ClientHarness.Watched again = h.watch(RDS, "foo");
      noRequest(stream);
      send(h);

      Request back = stream.request();
      assertThat(back.names()).containsExactly("foo");
      if (protocol == AdsProtocol.DELTA) {
        assertThat(back.subscribe()).containsExactly("foo");
      }
      h.respond(response(RDS).version("1").nonce("B").resource("foo", "one"));
      assertThat(again.resource()).isEqualTo("one");
      send(h);
      h.advanceSeconds(60);
      again.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R33 cancel and watch again within one turn: nothing is sent, nothing lost")
  void r33WithinOneTurn(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched first = h.watch(RDS, "foo");
      h.respond(response(RDS).version("1").resource("foo", "one"));
      FakeStream stream = h.stream();
      stream.skipRequests();

      first.watch.cancel();
      ClientHarness.Watched again = h.watch(RDS, "foo");

      assertThat(again.resource()).isEqualTo("one");
      noRequest(stream);
      assertThat(stream.isOver()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R33 an update that comes while nobody watches is what who comes back gets")
  void r33UpdateWhileNobodyWatches(AdsProtocol protocol) {
    try (ClientHarness h = withAStreamThatStays(protocol)) {
      ClientHarness.Watched first = h.watch(RDS, "foo");
      h.servers.autoSend(false);
      h.respond(response(RDS).version("1").nonce("A").resource("foo", "one"));
      assertThat(first.resource()).isEqualTo("one");
      first.cancel();

      h.respond(response(RDS).version("2").nonce("B").resource("foo", "two"));
      ClientHarness.Watched again = h.watch(RDS, "foo");

      first.nothing();
      assertThat(again.resource()).isEqualTo("two");
      again.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "R34 cancelForReplacement sends nothing; the replacement's request carries the change")
  void r34ReplacementCarriesTheChange(AdsProtocol protocol) {
    try (ClientHarness h = withAStreamThatStays(protocol)) {
      ClientHarness.Watched old = h.watch(RDS, "old");
      h.respond(response(RDS).version("1").nonce("A").resource("old", "one"));
      assertThat(old.resource()).isEqualTo("one");
      FakeStream stream = h.stream();
      stream.skipRequests();

      old.cancelForReplacement();
      noRequest(stream);
      assertThat(h.state(RDS, "old")).isEqualTo("not shown");
      h.watch(RDS, "new");

      Request request = stream.request();
      assertThat(request.names()).containsExactly("new");
      if (protocol == AdsProtocol.SOTW) {
        assertThat(request.version()).isEqualTo("1");
        assertThat(request.nonce()).isEqualTo("A");
      } else {
        assertThat(request.subscribe()).containsExactly("new");
        assertThat(request.unsubscribe()).containsExactly("old");
      }
      noRequest(stream);
      old.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R34 an ACK of that type carries the change too; another type's request does not")
  void r34AckCarriesTheChange(AdsProtocol protocol) {
    try (ClientHarness h = withAStreamThatStays(protocol)) {
      ClientHarness.Watched old = h.watch(RDS, "old");
      h.watch(RDS, "other");
      FakeStream stream = h.stream();
      stream.skipRequests();
      old.cancelForReplacement();

      h.watch(LDS, "another-type");
      assertThat(stream.request().typeUrl()).isEqualTo(LDS.typeUrl());
      noRequest(stream);
      h.respond(response(RDS).version("1").nonce("A").resource("other", "x"));

      assertThat(Checks.ack(stream, "1", "A").names()).containsExactly("other");
      noRequest(stream);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R34 who returns to the replaced name before that finds the cached copy")
  void r34ReturnToTheReplacedName(AdsProtocol protocol) {
    try (ClientHarness h = withAStreamThatStays(protocol)) {
      ClientHarness.Watched old = h.watch(RDS, "old");
      h.respond(response(RDS).version("1").nonce("A").resource("old", "one"));
      assertThat(old.resource()).isEqualTo("one");
      FakeStream stream = h.stream();
      stream.skipRequests();

      old.cancelForReplacement();
      ClientHarness.Watched again = h.watch(RDS, "old");

      assertThat(again.resource()).isEqualTo("one");
      noRequest(stream);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R34 with another watcher on the same name there is nothing to replace")
  void r34OtherWatchersKeepTheName(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched stays = h.watch(RDS, "old");
      ClientHarness.Watched leaves = h.watch(RDS, "old");
      FakeStream stream = h.stream();
      stream.skipRequests();

      leaves.cancelForReplacement();
      h.watch(RDS, "new");

      assertThat(stream.request().names()).containsExactlyInAnyOrder("new", "old");
      h.respond(response(RDS).resource("old", "one"));
      assertThat(stays.resource()).isEqualTo("one");
      leaves.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R34 a name that is replaced but never told of does not outlive its stream")
  void r34ReplacedNameDoesNotOutliveItsStream(AdsProtocol protocol) {
    try (ClientHarness h = withAStreamThatStays(protocol)) {
      ClientHarness.Watched old = h.watch(RDS, "old");
      h.respond(response(RDS).version("1").nonce("A").resource("old", "one"));
      assertThat(old.resource()).isEqualTo("one");
      old.cancelForReplacement();

      h.closeStream(Status.OK);
      h.advanceSeconds(1);

      assertThat(h.stream().subscribed(RDS)).isEmpty();
      ClientHarness.Watched again = h.watch(RDS, "old");
      again.nothing();
      assertThat(h.state(RDS, "old")).isEqualTo("requested");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R33 gone and back around the moment the request left: the timer runs all the same")
  void r33GoneWhileTheRequestLeavesStillTimesOut(AdsProtocol protocol) {
    try (ClientHarness h = withAStreamThatStays(protocol)) {
      h.servers.autoSend(false);
      ClientHarness.Watched first = h.watch(RDS, "foo");
      first.cancelForReplacement();
      send(h);
      ClientHarness.Watched again = h.watch(RDS, "foo");
      assertThat(h.stream().isSendPending()).as("nothing more to say").isFalse();

      h.advanceSeconds(14.9);
      again.nothing();
      h.advanceSeconds(0.1);

      Checks.says(again.error(), Status.Code.NOT_FOUND, "RDS resource foo", "within 15 s");
      assertThat(h.state(RDS, "foo")).isEqualTo("does_not_exist");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R33 the same when another type's request keeps the unsubscription waiting")
  void r33GoneBehindAnotherTypeStillTimesOut(AdsProtocol protocol) {
    try (ClientHarness h = withAStreamThatStays(protocol)) {
      h.servers.autoSend(false);
      ClientHarness.Watched first = h.watch(RDS, "foo");
      first.cancel();
      h.watch(LDS, "more");
      send(h); // RDS foo leaves, LDS more is handed over
      ClientHarness.Watched again = h.watch(RDS, "foo");
      send(h);
      assertThat(h.stream().isSendPending()).as("nothing more to say").isFalse();

      h.advanceSeconds(15);

      Checks.says(again.error(), Status.Code.NOT_FOUND, "RDS resource foo", "within 15 s");
    }
  }
}
