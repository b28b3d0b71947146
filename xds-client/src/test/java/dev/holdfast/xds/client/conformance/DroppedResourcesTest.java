// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.CDS;
import static dev.holdfast.xds.client.fixture.TestType.EDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.ClientHarness.Watched;
import dev.holdfast.xds.client.fixture.Request;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A server goes by what a client has accepted. What the client has dropped since, the server would
 * not send again when it goes back to it; so it has to be made to forget.
 */
class DroppedResourcesTest {
  private static final String EACH = "dev.holdfast.xds.client.conformance.Checks#protocolsAndTypes";

  private static ClientHarness strict(AdsProtocol protocol) {
    return ClientHarness.of(protocol, ServerFeature.FAIL_ON_DATA_ERRORS);
  }

  @ParameterizedTest
  @MethodSource(EACH)
  @DisplayName(
      "H23 what a refused update drops is unsubscribed from with the NACK, subscribed to again, and"
          + " its version no longer claimed")
  void h23RefusedUpdate(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = strict(protocol)) {
      Watched w = h.watch(type, "foo");
      h.watch(type, "other");
      h.respond(response(type).version("1").resource("foo", "one").resource("other", "x"));
      assertThat(w.resource()).isEqualTo("one");
      h.stream().skipRequests();

      h.respond(response(type).version("2").nonce("B").resource("foo", "bad:x"));

      w.error();
      Request nack = h.stream().request();
      assertThat(nack.isNack()).isTrue();
      assertThat(nack.nonce()).isEqualTo("B");
      assertThat(nack.version()).isEmpty();
      assertThat(nack.names()).containsExactly("other");
      Request again = h.stream().request();
      assertThat(again.isNack()).isFalse();
      assertThat(again.version()).isEmpty();
      assertThat(again.names()).containsExactlyInAnyOrder("foo", "other");
      assertThat(again.nonce()).isEqualTo(protocol == AdsProtocol.SOTW ? "B" : "");
      assertThat(h.stream().unseenRequests()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "H23 the server repeats what was refused: there is nothing more to drop, and no loop")
  void h23NoLoop(AdsProtocol protocol) {
    try (ClientHarness h = strict(protocol)) {
      Watched w = h.watch(EDS, "foo");
      h.respond(response(EDS).version("1").resource("foo", "one"));
      h.respond(response(EDS).version("2").resource("foo", "bad:x"));
      h.stream().skipRequests();

      h.respond(response(EDS).version("2").nonce("C").resource("foo", "bad:x"));
      h.advanceSeconds(0.1);

      assertThat(h.stream().request().isNack()).isTrue();
      assertThat(h.stream().unseenRequests()).isZero();
      h.respond(response(EDS).version("1").nonce("D").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      w.error();
      assertThat(w.resource()).isEqualTo("one");
      Checks.ack(h.stream(), "1", "D");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H23 what the server's own error drops is asked for anew after the ACK")
  void h23ServerError(AdsProtocol protocol) {
    try (ClientHarness h = strict(protocol)) {
      Watched w = h.watch(CDS, "foo");
      h.respond(response(CDS).version("1").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.stream().skipRequests();

      h.respond(
          response(CDS).version("2").nonce("B").error("foo", Status.Code.PERMISSION_DENIED, "no"));

      w.error();
      Checks.ack(h.stream(), "2", "B");
      assertThat(h.stream().request().names()).isEmpty();
      assertThat(h.stream().request().names()).containsExactly("foo");
      assertThat(h.stream().unseenRequests()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H23 a response that gives and takes the same resource provokes ever fewer requests")
  void h23GivenAndTakenInOneResponse(AdsProtocol protocol) {
    try (ClientHarness h = strict(protocol)) {
      h.watch(EDS, "foo");
      int unsubscriptions = 0;
      for (int i = 0; i < 6000; i++) { // a minute, a response each 10 ms
        h.respond(
            response(EDS)
                .version("1")
                .nonce("n" + i)
                .resource("foo", "one")
                .error("foo", Status.Code.NOT_FOUND, "gone"));
        h.advanceSeconds(0.01);
        while (h.stream().unseenRequests() > 0) {
          unsubscriptions += h.stream().request().names().isEmpty() ? 1 : 0;
        }
      }
      assertThat(unsubscriptions).isBetween(2, 20);
    }
  }

  @Test
  @DisplayName("H42 a removal in Delta is followed by a new subscription, whether kept or dropped")
  void h42RemovalInDelta() {
    for (boolean keeps : new boolean[] {true, false}) {
      try (ClientHarness h = keeps ? ClientHarness.delta() : strict(AdsProtocol.DELTA)) {
        h.watch(EDS, "foo");
        h.respond(response(EDS).version("1").resource("foo", "one"));
        h.stream().skipRequests();

        h.respond(response(EDS).version("2").nonce("B").removed("foo"));

        Checks.ack(h.stream(), "", "B");
        assertThat(h.stream().request().unsubscribe()).containsExactly("foo");
        assertThat(h.stream().request().subscribe()).containsExactly("foo");

        h.respond(response(EDS).version("2").nonce("C").removed("foo"));

        Checks.ack(h.stream(), "", "C");
        assertThat(h.stream().unseenRequests()).isZero();
      }
    }
  }

  @Test
  @DisplayName("H42 a removal between the two requests says nothing of the resource")
  void h42EchoOfTheUnsubscription() {
    try (ClientHarness h = strict(AdsProtocol.DELTA)) {
      h.watch(EDS, "foo");
      h.respond(response(EDS).version("1").resource("foo", "one"));
      h.servers.autoSend(false);

      h.respond(response(EDS).version("2").nonce("B").resource("foo", "bad:x"));
      h.respond(response(EDS).version("2").nonce("C").removed("foo"));

      assertThat(h.state(EDS, "foo")).isEqualTo("nacked");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "H23 a good resource that comes before the server was told needs no new subscription")
  void h23GoodAgainInTime(AdsProtocol protocol) {
    try (ClientHarness h = strict(protocol)) {
      Watched w = h.watch(EDS, "foo");
      h.respond(response(EDS).version("1").resource("foo", "one"));
      h.respond(response(EDS).version("2").resource("foo", "bad:x"));
      h.respond(response(EDS).version("3").resource("foo", "three"));
      h.respond(response(EDS).version("4").resource("foo", "bad:y")); // must wait for 0.1 s
      h.stream().skipRequests();

      h.respond(response(EDS).version("5").nonce("E").resource("foo", "five"));
      h.advanceSeconds(1);

      assertThat(h.stream().request().names()).containsExactly("foo");
      assertThat(h.stream().unseenRequests()).isZero();
      assertThat(w.watcher.currentText()).isEqualTo("five");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H23 a name that is no longer watched is not subscribed to again")
  void h23UnwatchedMeanwhile(AdsProtocol protocol) {
    try (ClientHarness h = strict(protocol)) {
      Watched w = h.watch(EDS, "foo");
      h.watch(EDS, "other");
      h.respond(response(EDS).version("1").resource("foo", "one").resource("other", "x"));
      h.servers.autoSend(false);
      h.respond(response(EDS).version("2").resource("foo", "bad:x"));
      w.cancel();
      h.stream().skipRequests();
      h.servers.autoSend(true);
      h.stream().sent();
      h.settle();
      h.advanceSeconds(20);

      assertThat(h.stream().unseenRequests()).isZero();
      assertThat(h.stream().subscribed(EDS)).containsExactly("other");
    }
  }

  @Test
  @DisplayName(
      "H64 a new stream claims a version (SotW) only if all that is watched is held and good")
  void h64ClaimsOnNewStreams() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.watch(EDS, "foo");
      h.respond(response(EDS).version("1").resource("foo", "one"));
      assertThat(versionOnNewStream(h)).isEqualTo("1");

      h.respond(response(EDS).version("2").resource("foo", "bad:x"));
      assertThat(h.state(EDS, "foo")).isEqualTo("nacked_but_cached");
      assertThat(versionOnNewStream(h)).isEmpty();

      h.respond(response(EDS).version("1").resource("foo", "one"));
      assertThat(versionOnNewStream(h)).isEqualTo("1");

      h.closeStream(Status.OK);
      h.watch(EDS, "late");
      h.advanceSeconds(30);
      assertThat(h.stream().request().version()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "H82 what a fallback sent is replaced when the first server is back on its old stream")
  void h82ContentOfTheFallback(AdsProtocol protocol) {
    ServerConfig primary = ServerConfig.insecure("primary.example:443");
    ServerConfig backup = ServerConfig.insecure("backup.example:443");
    try (ClientHarness h =
        new ClientHarness(ClientHarness.config(protocol).servers(primary, backup).build())) {
      Watched w = h.watch(EDS, "foo");
      h.respond(h.stream(primary.uri()), response(EDS).version("1").resource("foo", "first"));
      h.transport(primary.uri()).transientFailure(Status.UNAVAILABLE);
      h.watch(EDS, "missing"); // makes it fall back
      h.respond(h.stream(backup.uri()), response(EDS).version("b").resource("foo", "second"));
      assertThat(w.watcher.currentText()).isEqualTo("second");
      h.stream(primary.uri()).skipRequests();

      h.respond(
          h.stream(primary.uri()), response(EDS).version("1").nonce("B").resource("missing", "m"));

      Checks.ack(h.stream(primary.uri()), "1", "B");
      Request last = h.stream(primary.uri()).request();
      assertThat(last.names()).containsExactlyInAnyOrder("foo", "missing");
      h.respond(h.stream(primary.uri()), response(EDS).version("1").resource("foo", "first"));
      assertThat(w.watcher.currentText()).isEqualTo("first");
    }
  }

  @Test
  @DisplayName(
      "H82 where everything is stated (SotW), by claiming no version: absence would delete")
  void h82FullState() {
    ServerConfig primary = ServerConfig.insecure("primary.example:443");
    ServerConfig backup = ServerConfig.insecure("backup.example:443");
    try (ClientHarness h =
        new ClientHarness(
            ClientHarness.config(AdsProtocol.SOTW).servers(primary, backup).build())) {
      h.watch(CDS, "foo");
      h.respond(h.stream(primary.uri()), response(CDS).version("1").resource("foo", "first"));
      h.transport(primary.uri()).transientFailure(Status.UNAVAILABLE);
      h.watch(EDS, "missing");
      h.respond(h.stream(backup.uri()), response(CDS).version("b").resource("foo", "second"));
      h.stream(primary.uri()).skipRequests();

      h.respond(
          h.stream(primary.uri()), response(EDS).version("1").nonce("B").resource("missing", "m"));

      Request anew = h.stream(primary.uri()).request();
      Checks.ack(h.stream(primary.uri()), "1", "B");
      assertThat(anew.typeUrl()).isEqualTo(CDS.typeUrl());
      assertThat(anew.version()).isEmpty();
      assertThat(anew.names()).containsExactly("foo");
      assertThat(h.stream(primary.uri()).unseenRequests()).isZero();
    }
  }

  @Test
  @DisplayName("H23 in Delta, what was replaced in a response that was refused is asked for anew")
  void h23ReplacedInARefusedResponse() {
    try (ClientHarness h = ClientHarness.delta()) {
      for (String name : new String[] {"bad", "good", "new", "same"}) {
        h.watchLater(EDS, name);
      }
      h.settle();
      h.respond(
          response(EDS)
              .version("1")
              .resource("bad", "one")
              .resource("good", "one")
              .resource("same", "one"));
      h.stream().skipRequests();

      h.respond(
          response(EDS)
              .version("2")
              .nonce("B")
              .resource("bad", "bad:x")
              .resource("good", "two")
              .resource("new", "two")
              .resource("same", "one"));

      Request nack = h.stream().request();
      assertThat(nack.isNack()).isTrue();
      assertThat(nack.unsubscribe()).containsExactly("good"); // believed to be "one"
      assertThat(h.stream().request().subscribe()).containsExactly("good");
      assertThat(h.stream().unseenRequests()).isZero();
      assertThat(h.state(EDS, "good")).isEqualTo("acked");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H82 the version of the first server is not claimed for what the fallback sent")
  void h82VersionOfTheFirstServer(AdsProtocol protocol) {
    ServerConfig primary = ServerConfig.insecure("primary.example:443");
    ServerConfig backup = ServerConfig.insecure("backup.example:443");
    try (ClientHarness h =
        new ClientHarness(ClientHarness.config(protocol).servers(primary, backup).build())) {
      h.watch(EDS, "foo");
      h.respond(h.stream(primary.uri()), response(EDS).version("1").resource("foo", "first"));
      h.transport(primary.uri()).transientFailure(Status.UNAVAILABLE);
      h.closeStream(h.stream(primary.uri()), Status.UNAVAILABLE);
      h.watch(EDS, "missing");
      h.respond(
          h.stream(backup.uri()),
          response(EDS).version("b").resource("foo", "second").resource("missing", "m"));

      h.advanceSeconds(2);

      assertThat(h.stream(primary.uri()).request().versionOf("foo")).isEmpty();
    }
  }

  private static String versionOnNewStream(ClientHarness h) {
    h.closeStream(Status.OK);
    while (!h.transport().hasOpenStream()) {
      h.advanceSeconds(1);
    }
    return h.stream().request().version();
  }
}
