// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.Checks.ack;
import static dev.holdfast.xds.client.conformance.Checks.noRequest;
import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
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
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is asked of the server as watches come and go. */
class SubscribingTest {
  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "C01 first watch creates a stream; the first request has names, no version or nonce, and the node")
  void c01FirstWatchCreatesAStream(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      assertThat(h.servers.all()).as("connections before the first watch").isEmpty();

      ClientHarness.Watched w = h.watch(LDS, "foo");

      Request request = h.stream().request();
      assertThat(request.typeUrl()).isEqualTo(LDS.typeUrl());
      assertThat(request.names()).containsExactly("foo");
      assertThat(request.version()).isEmpty();
      assertThat(request.nonce()).isEmpty();
      assertThat(request.initialVersions()).isEmpty();
      assertThat(request.isNack()).isFalse();
      assertThat(Objects.requireNonNull(request.node()).getId()).isEqualTo("node-1");
      assertThat(h.state(LDS, "foo")).isEqualTo("requested");
      assertThat(h.observer.resources(LDS, "requested")).isEqualTo(1);
      assertThat(h.observer.connected(SERVER)).isTrue();
      w.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "C04 a second watcher on a cached resource is told at once; no request; both get updates; cancelling one sends nothing")
  void c04SecondWatcherIsToldAtOnce(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched first = h.watch(LDS, "foo");
      h.respond(response(LDS).version("1").nonce("A").resource("foo", "one"));
      assertThat(first.resource()).isEqualTo("one");
      FakeStream stream = h.stream();
      stream.skipRequests();

      ClientHarness.Watched second = h.watch(LDS, "foo");

      assertThat(second.resource()).isEqualTo("one");
      second.nothing();
      first.nothing();
      noRequest(stream);
      assertThat(h.observer.resources(LDS, "acked")).isEqualTo(1);

      h.respond(response(LDS).version("2").nonce("B").resource("foo", "two"));
      assertThat(first.resource()).isEqualTo("two");
      assertThat(second.resource()).isEqualTo("two");
      stream.skipRequests();

      first.cancel();
      noRequest(stream);
      assertThat(h.state(LDS, "foo")).isEqualTo("acked");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G05 a watch on a cached name sends no request, whatever its state")
  void g05WatchOnAKnownNameSendsNoRequest(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(EDS, "good");
      h.watch(EDS, "silent");
      h.watch(EDS, "broken");
      h.respond(response(EDS).resource("good", "x").resource("broken", "bad:y"));
      h.stream().skipRequests();

      h.watch(EDS, "good");
      h.watch(EDS, "silent");
      h.watch(EDS, "broken");

      noRequest(h.stream());
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "C05 a second name: the full list with the current version and nonce (Delta: the name)")
  void c05SecondNameIsSentWithCurrentVersionAndNonce(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(LDS, "foo");
      h.respond(response(LDS).version("1").nonce("A").resource("foo", "one"));
      h.stream().skipRequests();

      h.watch(LDS, "bar");

      Request request = h.stream().request();
      assertThat(request.names()).containsExactlyInAnyOrder("foo", "bar");
      assertThat(request.isNack()).isFalse();
      assertThat(request.node()).isNull();
      if (protocol == AdsProtocol.SOTW) {
        assertThat(request.version()).isEqualTo("1");
        assertThat(request.nonce()).isEqualTo("A");
      } else {
        assertThat(request.subscribe()).containsExactly("bar");
        assertThat(request.nonce()).as("answers no response").isEmpty();
        assertThat(request.initialVersions()).as("only in a type's first request").isEmpty();
      }
      noRequest(h.stream());
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "C06 cancelling one of two names sends the rest; cancelling the last closes the stream")
  void c06CancellingTheLastNameClosesTheStream(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched foo = h.watch(LDS, "foo");
      ClientHarness.Watched bar = h.watch(LDS, "bar");
      h.respond(
          response(LDS).version("1").nonce("A").resource("foo", "one").resource("bar", "two"));
      FakeStream stream = h.stream();
      stream.skipRequests();

      foo.cancel();

      Request request = stream.request();
      assertThat(request.names()).containsExactly("bar");
      if (protocol == AdsProtocol.SOTW) {
        assertThat(request.version()).isEqualTo("1");
        assertThat(request.nonce()).isEqualTo("A");
      } else {
        assertThat(request.unsubscribe()).containsExactly("foo");
      }
      assertThat(h.state(LDS, "foo")).isEqualTo("not shown");
      assertThat(h.state(LDS, "bar")).isEqualTo("acked");

      bar.cancel();

      noRequest(stream);
      assertThat(stream.isCancelled()).isTrue();
      assertThat(h.transport().isClosed()).isTrue();
      assertThat(h.dump()).isEmpty();
      assertThat(h.observer.connected(SERVER)).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C06 after the last name a new watch starts from nothing")
  void c06WatchAfterTheLastCancelStartsFromNothing(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched first = h.watch(LDS, "foo");
      h.respond(response(LDS).version("1").nonce("A").resource("foo", "one"));
      first.cancel();

      ClientHarness.Watched again = h.watch(LDS, "foo");

      assertThat(h.servers.to(SERVER)).hasSize(2);
      Request request = h.stream().request();
      assertThat(request.version()).isEmpty();
      assertThat(request.nonce()).isEmpty();
      assertThat(request.initialVersions()).isEmpty();
      assertThat(request.node()).isNotNull();
      again.nothing();
      assertThat(h.state(LDS, "foo")).isEqualTo("requested");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G12 unsubscribing one name sends a request without it; other types are not resent")
  void g12UnsubscribingOneNameSendsARequestWithoutIt(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched foo = h.watch(EDS, "foo");
      h.watch(EDS, "bar");
      h.watch(CDS, "foo");
      h.stream().skipRequests();

      foo.cancel();

      Request request = h.stream().request();
      assertThat(request.typeUrl()).isEqualTo(EDS.typeUrl());
      assertThat(request.names()).containsExactly("bar");
      noRequest(h.stream());
      assertThat(h.stream().subscribed(CDS)).containsExactly("foo");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C08 two types have independent versions and nonces on one stream")
  void c08TypesHaveIndependentVersionsAndNonces(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched lds = h.watch(LDS, "foo");
      ClientHarness.Watched cds = h.watch(CDS, "foo");
      FakeStream stream = h.stream();
      stream.skipRequests();

      h.respond(response(LDS).version("7").nonce("A").resource("foo", "listener"));
      assertThat(ack(stream, "7", "A").typeUrl()).isEqualTo(LDS.typeUrl());
      h.respond(response(CDS).version("3").nonce("B").resource("foo", "cluster"));
      assertThat(ack(stream, "3", "B").typeUrl()).isEqualTo(CDS.typeUrl());
      assertThat(lds.resource()).isEqualTo("listener");
      assertThat(cds.resource()).isEqualTo("cluster");

      h.watch(LDS, "bar");
      Request more = stream.request();
      assertThat(more.typeUrl()).isEqualTo(LDS.typeUrl());
      if (protocol == AdsProtocol.SOTW) {
        assertThat(more.version()).isEqualTo("7");
        assertThat(more.nonce()).isEqualTo("A");
      }
      h.respond(response(CDS).version("4").nonce("C").resource("foo", "bad:z"));
      Checks.nack(stream, "3", "C");
      h.respond(
          response(LDS).version("8").nonce("D").resource("foo", "listener").resource("bar", "x"));
      ack(stream, "8", "D");
      assertThat(h.servers.all()).hasSize(1);
      assertThat(h.transport().streams()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "C09 all names of a type dropped: the empty list is sent, an empty response ACKed, and version and nonce live on")
  void c09VersionAndNonceOutliveTheLastNameOfAType(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(LDS, "keeps-the-stream");
      ClientHarness.Watched cluster = h.watch(CDS, "foo");
      FakeStream stream = h.stream();
      h.respond(response(CDS).version("1").nonce("A").resource("foo", "one"));
      stream.skipRequests();

      cluster.cancel();
      Request empty = stream.request();
      assertThat(empty.typeUrl()).isEqualTo(CDS.typeUrl());
      assertThat(empty.names()).isEmpty();
      if (protocol == AdsProtocol.SOTW) {
        assertThat(empty.version()).isEqualTo("1");
        assertThat(empty.nonce()).isEqualTo("A");
      }

      h.respond(response(CDS).version("2").nonce("B"));
      assertThat(ack(stream, "2", "B").names()).isEmpty();

      h.watch(CDS, "bar");
      Request again = stream.request();
      assertThat(again.names()).containsExactly("bar");
      if (protocol == AdsProtocol.SOTW) {
        assertThat(again.version()).isEqualTo("2");
        assertThat(again.nonce()).isEqualTo("B");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G07 watches made while there is no stream are requested once there is one")
  void g07WatchesMadeWithoutAStreamAreRequestedLater(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.servers.unusable(SERVER, new IllegalStateException("no credentials"));
      ClientHarness.Watched foo = h.watch(LDS, "foo");
      ClientHarness.Watched bar = h.watch(LDS, "bar");
      Checks.says(foo.error(), Status.Code.UNAVAILABLE, "LDS resource foo", "no credentials");
      Checks.says(bar.error(), Status.Code.UNAVAILABLE, "LDS resource bar", "no credentials");
      assertThat(h.servers.all()).isEmpty();

      h.servers.unusable(SERVER, null);
      h.advanceSeconds(1);

      Request request = h.stream().request();
      assertThat(request.names()).containsExactly("bar", "foo");
      assertThat(request.node()).isNotNull();
      noRequest(h.stream());
      h.respond(response(LDS).resource("foo", "one").resource("bar", "two"));
      assertThat(foo.resource()).isEqualTo("one");
      assertThat(bar.resource()).isEqualTo("two");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C06 cancelling twice, in whatever way, is cancelling once")
  void c06CancelIsIdempotent(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched leaves = h.watch(LDS, "foo");
      ClientHarness.Watched stays = h.watch(LDS, "foo");
      h.stream().skipRequests();

      leaves.cancel();
      leaves.cancel();
      leaves.cancelForReplacement();
      leaves.watch.close();
      h.settle();

      noRequest(h.stream());
      h.respond(response(LDS).resource("foo", "one"));
      assertThat(stays.resource()).isEqualTo("one");
      leaves.nothing();
    }
  }
}
