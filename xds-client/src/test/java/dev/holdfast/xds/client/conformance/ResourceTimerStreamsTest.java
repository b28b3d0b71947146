// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.ErrorTexts.assertError;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static dev.holdfast.xds.client.fixture.TestType.RDS;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.ClientHarness.Watched;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When a resource timer runs: from dispatch to answer, per stream (gRFC A57). */
class ResourceTimerStreamsTest {
  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C53 the stream fails before the answer: an error, and the timer runs anew")
  void c53StreamFailsBeforeTheAnswer(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(RDS, "foo");
      h.advanceSeconds(10);

      h.closeStream(Status.UNAVAILABLE.withDescription("bye"));
      assertError(w.error(), UNAVAILABLE, RDS, "foo", "before any response", "bye");
      assertThat(h.state(RDS, "foo")).isEqualTo("requested");
      h.advanceSeconds(1);
      assertThat(h.stream().request().names()).containsExactly("foo");

      h.advanceSeconds(14.9);
      w.nothing();
      assertThat(h.state(RDS, "foo")).isEqualTo("requested");
      h.advanceSeconds(0.1);
      assertError(w.error(), NOT_FOUND, RDS, "foo", "did not send it within 15 s");
      w.nothing();
      assertThat(h.state(RDS, "foo")).isEqualTo("does_not_exist");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C54 the timer starts when the request has left, not when it was handed over")
  void c54TimerStartsWhenTheRequestHasLeft(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.servers.autoSend(false);
      Watched w = h.watch(RDS, "foo");
      h.advanceSeconds(20);
      w.nothing();
      assertThat(h.state(RDS, "foo")).isEqualTo("requested");

      h.stream().sent();
      h.settle();
      h.advanceSeconds(14.9);
      w.nothing();
      h.advanceSeconds(0.1);

      assertError(w.error(), NOT_FOUND, RDS, "foo", "15 s");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C54 a name that is added while a request is under way waits for its own request")
  void c54AddedNameWaitsForItsOwnRequest(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.servers.autoSend(false);
      Watched first = h.watch(RDS, "first");
      Watched second = h.watch(RDS, "second");
      h.stream().sent(); // first's; second's is handed over now
      h.settle();
      assertThat(h.stream().isSendPending()).isTrue();

      h.advanceSeconds(15);
      assertError(first.error(), NOT_FOUND, RDS, "first", "15 s");
      h.advanceSeconds(60);
      second.nothing();
      h.stream().sent();
      h.settle();
      h.advanceSeconds(15);
      assertError(second.error(), NOT_FOUND, RDS, "second", "15 s");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C55 cancelled and watched again while a request is under way, then answered")
  void c55WatchedAgainWhileARequestIsUnderWay(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched first = h.watch(RDS, "foo");
      h.respond(response(RDS).version("1").resource("foo", "one"));
      assertThat(first.resource()).isEqualTo("one");
      h.servers.autoSend(false);
      Watched other = h.watch(RDS, "other"); // its request is under way

      first.cancel();
      Watched again = h.watch(RDS, "foo");
      assertThat(again.resource()).isEqualTo("one"); // the server was never told otherwise
      h.respond(
          response(RDS).version("2").nonce("B").resource("foo", "two").resource("other", "one"));
      assertThat(again.resource()).isEqualTo("two");
      assertThat(other.resource()).isEqualTo("one");
      while (h.stream().isSendPending()) {
        h.stream().sent();
        h.settle();
      }

      h.advanceSeconds(60);
      again.nothing();
      other.nothing();
      assertThat(h.state(RDS, "foo")).isEqualTo("acked");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C55 an answer to an earlier subscription counts for the one that has not left yet")
  void c55AnswerToTheEarlierSubscription(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(RDS, "other");
      Watched first = h.watch(RDS, "foo");
      h.servers.autoSend(false);
      first.cancel(); // the request that says so is under way
      assertThat(h.stream().isSendPending()).isTrue();
      Watched again = h.watch(RDS, "foo");
      again.nothing();

      h.respond(response(RDS).resource("foo", "one")); // to the first subscription
      assertThat(again.resource()).isEqualTo("one");
      while (h.stream().isSendPending()) {
        h.stream().sent();
        h.settle();
      }

      assertThat(h.stream().subscribed(RDS)).containsExactly("foo", "other");
      h.advanceSeconds(60);
      again.nothing();
      assertThat(h.state(RDS, "foo")).isEqualTo("acked");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C55 watched again without the server having noticed: the timer is not forgotten")
  void c55TimerIsNotForgotten(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(LDS, "other");
      h.servers.autoSend(false);
      Watched first = h.watch(RDS, "foo");
      first.cancelForReplacement();
      h.stream().sent();
      h.settle();
      Watched again = h.watch(RDS, "foo");
      assertThat(h.stream().isSendPending()).isFalse(); // the server knows already

      h.advanceSeconds(15);

      assertError(again.error(), NOT_FOUND, RDS, "foo", "15 s");
      assertThat(h.state(RDS, "foo")).isEqualTo("does_not_exist");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C56 a cached resource, a new stream and a silent server: nothing happens")
  void c56SilentServerAfterRestart(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(LDS, "foo");
      h.respond(response(LDS).version("1").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");

      h.closeStream(Status.OK);
      h.advanceSeconds(60);

      assertThat(h.stream().request().names()).containsExactly("foo");
      w.nothing();
      assertThat(h.state(LDS, "foo")).isEqualTo("acked");
      Watched late = h.watch(LDS, "foo");
      assertThat(late.resource()).isEqualTo("one");
      late.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C57 while the stream waits for a connection nothing is said not to exist")
  void c57NoConnection(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.servers.autoSend(false);
      Watched w = h.watch(RDS, "foo");
      h.transport().transientFailure(Status.UNAVAILABLE.withDescription("no route to host"));
      h.settle();
      assertError(w.error(), UNAVAILABLE, RDS, "foo", "no route to host");

      h.advanceSeconds(600);

      w.nothing(); // that the stream waits is no news: the watcher knows, and knows why
      assertThat(h.state(RDS, "foo")).isEqualTo("requested");
      h.transport().connected();
      h.stream().sent();
      h.settle();
      h.advanceSeconds(15);
      assertError(w.error(), NOT_FOUND, RDS, "foo", "15 s");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C57 while one stream after the other fails nothing is said not to exist")
  void c57StreamsFail(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(RDS, "foo");
      for (int i = 0; i < 100; i++) {
        h.advanceSeconds(10);
        if (h.transport().hasOpenStream()) {
          h.closeStream(Status.UNAVAILABLE.withDescription("down"));
        }
        assertThat(h.state(RDS, "foo")).isEqualTo("requested");
      }
      assertError(w.error(), UNAVAILABLE, RDS, "foo", "down");
      w.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G50 over a stream break, received stays received and requested is armed again")
  void g50OverAStreamBreak(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched received = h.watch(RDS, "received");
      Watched requested = h.watch(RDS, "requested");
      h.advanceSeconds(14);
      h.respond(response(RDS).resource("received", "one"));
      assertThat(received.resource()).isEqualTo("one");

      h.closeStream(Status.OK); // after a response: no error
      h.advanceSeconds(1);
      requested.nothing();
      h.advanceSeconds(13.9);
      requested.nothing();
      h.advanceSeconds(1.1);

      assertError(requested.error(), NOT_FOUND, RDS, "requested", "15 s");
      received.nothing();
      assertThat(h.state(RDS, "received")).isEqualTo("acked");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G50 what was missing stays missing over a stream break, and is not told again")
  void g50MissingStaysMissing(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(RDS, "other");
      h.respond(response(RDS).resource("other", "one"));
      Watched w = h.watch(RDS, "foo");
      h.advanceSeconds(15);
      assertError(w.error(), NOT_FOUND, RDS, "foo", "15 s");

      h.closeStream(Status.OK);
      h.advanceSeconds(60);

      w.nothing();
      assertThat(h.state(RDS, "foo")).isEqualTo("does_not_exist");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "G50 a rejection of an earlier stream stays readable when the timer fires on a later")
  void g50RejectionStaysReadable(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(RDS, "foo");
      h.respond(response(RDS).resource("foo", "bad:wrong port"));
      assertError(w.error(), INVALID_ARGUMENT, RDS, "foo", "wrong port");

      h.closeStream(Status.OK);
      h.advanceSeconds(16);

      assertError(w.error(), NOT_FOUND, RDS, "foo", "15 s", "before that", "wrong port");
      w.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("E51 a server that does not send again after a restart: the resource stays in use")
  void e51ServerDoesNotSendAgain(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(LDS, "foo");
      h.respond(response(LDS).version("1").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.advanceSeconds(20);
      h.transport().transientFailure(Status.UNAVAILABLE.withDescription("restarting"));
      h.closeStream(Status.UNAVAILABLE.withDescription("restarting"));
      assertError(w.ambient(), UNAVAILABLE, LDS, "foo", "restarting");
      h.transport().connected();

      h.advanceSeconds(60);

      assertThat(w.ambient()).isEqualTo(Status.OK); // up, and silent because nothing has changed
      w.nothing();
      assertThat(h.state(LDS, "foo")).isEqualTo("acked");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G50 a timer that ran out while another server counted starts again with the server")
  void g50TimerOfAServerThatDidNotCount(AdsProtocol protocol) {
    ServerConfig primary = ServerConfig.insecure("primary.example:443");
    ServerConfig backup = ServerConfig.insecure("backup.example:443");
    try (ClientHarness h =
        new ClientHarness(ClientHarness.config(protocol).servers(primary, backup).build())) {
      Watched w = h.watch(RDS, "foo");
      Watched other = h.watch(LDS, "other");
      h.servers.autoSend(false); // the backup hangs while it connects
      h.closeStream(h.stream(primary.uri()), Status.UNAVAILABLE.withDescription("down"));
      h.advanceSeconds(1);
      while (h.stream(primary.uri()).isSendPending()) {
        h.stream(primary.uri()).sent();
        h.settle();
      }
      h.advanceSeconds(20); // the primary is back, and slow
      w.nothing();
      h.servers.autoSend(true);

      h.respond(h.stream(primary.uri()), response(LDS).resource("other", "one"));
      assertThat(other.resource()).isEqualTo("one");
      h.advanceSeconds(15);

      assertError(w.error(), NOT_FOUND, RDS, "foo", primary.uri(), "15 s");
      assertThat(h.state(RDS, "foo")).isEqualTo("does_not_exist");
    }
  }
}
