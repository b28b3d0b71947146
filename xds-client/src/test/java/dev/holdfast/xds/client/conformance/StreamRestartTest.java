// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.Checks.ack;
import static dev.holdfast.xds.client.conformance.Checks.noRequest;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.CDS;
import static dev.holdfast.xds.client.fixture.TestType.EDS;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.FakeStream;
import dev.holdfast.xds.client.fixture.Request;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a new stream says of what the old one left behind. */
class StreamRestartTest {
  /** Ends the stream and waits for the next. */
  private static FakeStream restart(ClientHarness h) {
    h.closeStream(Status.UNAVAILABLE.withDescription("server restarts"));
    h.advanceSeconds(5); // streams that die young are backed off
    return h.stream();
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "E01 a restart re-requests everything, with versions; changes made meanwhile are seen")
  void e01RestartRequestsEverythingAgain(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched same = h.watch(EDS, "same");
      ClientHarness.Watched changes = h.watch(EDS, "changes");
      ClientHarness.Watched cluster = h.watch(CDS, "cluster");
      h.respond(
          response(EDS).version("5").nonce("A").resource("same", "x").resource("changes", "old"));
      h.respond(response(CDS).version("3").nonce("B").resource("cluster", "y"));
      assertThat(same.resource()).isEqualTo("x");
      assertThat(changes.resource()).isEqualTo("old");
      assertThat(cluster.resource()).isEqualTo("y");

      FakeStream stream = restart(h);

      Request eds = stream.request();
      assertThat(eds.typeUrl()).isEqualTo(EDS.typeUrl());
      assertThat(eds.names()).containsExactly("changes", "same");
      assertThat(eds.nonce()).isEmpty();
      Request cds = stream.request();
      assertThat(cds.typeUrl()).isEqualTo(CDS.typeUrl());
      assertThat(cds.names()).containsExactly("cluster");
      assertThat(cds.nonce()).isEmpty();
      if (protocol == AdsProtocol.SOTW) {
        assertThat(eds.version()).isEqualTo("5");
        assertThat(cds.version()).isEqualTo("3");
      } else {
        assertThat(eds.initialVersions()).isEqualTo(Map.of("same", "5", "changes", "5"));
        assertThat(cds.initialVersions()).isEqualTo(Map.of("cluster", "3"));
      }
      noRequest(stream);

      h.respond(
          response(EDS).version("6").nonce("A2").resource("same", "x").resource("changes", "new"));
      assertThat(changes.resource()).isEqualTo("new");
      same.nothing();
      cluster.nothing();
      ack(stream, "6", "A2");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G09 the node is only in the first request of each stream, also after a restart")
  void g09NodeIsOnlyInTheFirstRequestOfEachStream(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(LDS, "foo");
      h.watch(CDS, "bar");
      for (int i = 0; i < 3; i++) {
        FakeStream stream = h.stream();
        Request first = stream.request();
        assertThat(Objects.requireNonNull(first.node()).getId()).isEqualTo("node-1");
        h.respond(response(LDS).version("" + i).resource("foo", "one"));
        h.watch(LDS, "more" + i);
        int others = 0;
        while (stream.unseenRequests() > 0) {
          assertThat(stream.request().node()).isNull();
          others++;
        }
        assertThat(others).as("CDS, ACK, more").isGreaterThanOrEqualTo(3);
        restart(h);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "R27 a type without subscriptions is not mentioned on a new stream: that is a wildcard")
  void r27TypeWithoutSubscriptionsIsNotMentioned(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(LDS, "foo");
      ClientHarness.Watched cluster = h.watch(CDS, "bar");
      h.respond(response(LDS).version("1").nonce("A").resource("foo", "one"));
      cluster.cancel();

      FakeStream stream = restart(h);

      assertThat(stream.request().typeUrl()).isEqualTo(LDS.typeUrl());
      noRequest(stream);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "R27 nor is an unasked response of such a type answered: the answer would be a wildcard")
  void r27UnaskedResponseIsNotAnsweredByAWildcard(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched listener = h.watch(LDS, "foo");
      ClientHarness.Watched cluster = h.watch(CDS, "bar");
      h.respond(response(LDS).version("1").nonce("A").resource("foo", "one"));
      assertThat(listener.resource()).isEqualTo("one");
      cluster.cancel();
      FakeStream stream = restart(h);
      stream.skipRequests();

      h.respond(response(CDS).version("9").nonce("Z").resource("bar", "two"));

      noRequest(stream);
      assertThat(h.observer.unknownTypes()).containsExactly(CDS.typeUrl());
      h.respond(response(LDS).version("2").nonce("B").resource("foo", "two"));
      assertThat(listener.resource()).isEqualTo("two");
      ack(stream, "2", "B");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R29 the first request of a stream has the node, whatever type it is about")
  void r29NodeGoesWithWhateverTypeIsFirst(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched lds = h.watch(LDS, "foo");
      h.watch(EDS, "bar");
      h.respond(response(EDS).resource("bar", "x"));
      lds.cancel();

      FakeStream stream = restart(h);

      Request first = stream.request();
      assertThat(first.typeUrl()).isEqualTo(EDS.typeUrl());
      assertThat(first.node()).isNotNull();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R37 nonces start anew with each stream, per type")
  void r37NoncesStartAnewWithEachStream(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(LDS, "foo");
      h.respond(response(LDS).version("1").nonce("A").resource("foo", "one"));
      FakeStream stream = restart(h);
      assertThat(stream.request().nonce()).isEmpty();

      h.watch(LDS, "bar");
      assertThat(stream.request().nonce()).as("no response on this stream yet").isEmpty();
      h.respond(
          response(LDS).version("1").nonce("A2").resource("foo", "one").resource("bar", "two"));

      ack(stream, "1", "A2");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R37 an answer that was owed to the old stream is not given on the new one")
  void r37OwedAnswerDiesWithItsStream(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.servers.autoSend(false);
      h.watch(LDS, "foo");
      h.respond(response(LDS).version("1").nonce("A").resource("foo", "bad:x"));
      h.servers.autoSend(true);

      FakeStream stream = restart(h);

      Request first = stream.request();
      assertThat(first.isNack()).isFalse();
      assertThat(first.nonce()).isEmpty();
      assertThat(first.version()).isEmpty();
      noRequest(stream);
    }
  }
}
