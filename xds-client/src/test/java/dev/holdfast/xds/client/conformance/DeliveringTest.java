// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.Checks.ack;
import static dev.holdfast.xds.client.conformance.Checks.cached;
import static dev.holdfast.xds.client.conformance.Checks.noRequest;
import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.CDS;
import static dev.holdfast.xds.client.fixture.TestType.EDS;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static dev.holdfast.xds.client.fixture.TestType.RDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What watchers hear of good resources, and how responses are acknowledged. */
class DeliveringTest {
  @ParameterizedTest
  @MethodSource("dev.holdfast.xds.client.conformance.Checks#protocolsAndTypes")
  @DisplayName("C02 a valid response is delivered once and acknowledged with its version and nonce")
  void c02ValidResponseIsDeliveredAndAcknowledged(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(type, "foo");
      h.stream().skipRequests();
      h.advanceSeconds(3);

      h.respond(response(type).version("7").nonce("A").resource("foo", "one"));

      assertThat(Objects.requireNonNull(w.watcher.current()).version()).isEqualTo("7");
      assertThat(Objects.requireNonNull(w.watcher.current()).name()).isEqualTo("foo");
      assertThat(w.resource()).isEqualTo("one");
      w.nothing();
      ack(h.stream(), "7", "A");
      noRequest(h.stream());
      assertThat(h.state(type, "foo")).isEqualTo("acked");
      assertThat(cached(h, type, "foo").version()).isEqualTo("7");
      assertThat(cached(h, type, "foo").serialized()).isEqualTo(TestType.bytes("foo", "one"));
      assertThat(cached(h, type, "foo").updated()).isEqualTo(h.time.now());
      assertThat(h.observer.valid(SERVER, type)).isEqualTo(1);
      assertThat(h.observer.invalid(SERVER, type)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C03 a second version replaces the first; time and version of the dump move")
  void c03SecondVersionReplacesTheFirst(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(LDS, "foo");
      h.respond(response(LDS).version("1").nonce("A").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      Instant before = cached(h, LDS, "foo").updated();
      h.stream().skipRequests();
      h.advanceSeconds(5);

      h.respond(response(LDS).version("2").nonce("B").resource("foo", "two"));

      assertThat(w.resource()).isEqualTo("two");
      w.nothing();
      ack(h.stream(), "2", "B");
      assertThat(cached(h, LDS, "foo").version()).isEqualTo("2");
      assertThat(cached(h, LDS, "foo").serialized()).isEqualTo(TestType.bytes("foo", "two"));
      assertThat(cached(h, LDS, "foo").updated()).isEqualTo(before.plusSeconds(5));
      assertThat(h.observer.valid(SERVER, LDS)).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "C07 a type that is not all-required: a response with one resource leaves the other untouched")
  void c07PartialResponseLeavesTheOthersUntouched(AdsProtocol protocol) {
    for (TestType type : new TestType[] {RDS, EDS}) {
      try (ClientHarness h = ClientHarness.of(protocol)) {
        ClientHarness.Watched foo = h.watch(type, "foo");
        ClientHarness.Watched bar = h.watch(type, "bar");
        h.respond(response(type).version("1").resource("foo", "one").resource("bar", "uno"));
        assertThat(foo.resource()).isEqualTo("one");
        assertThat(bar.resource()).isEqualTo("uno");
        Instant then = h.time.now();
        h.advanceSeconds(1);

        h.respond(response(type).version("2").resource("foo", "two"));

        assertThat(foo.resource()).isEqualTo("two");
        bar.nothing();
        assertThat(h.state(type, "bar")).isEqualTo("acked");
        assertThat(cached(h, type, "bar").version()).isEqualTo("1");
        assertThat(cached(h, type, "bar").updated()).isEqualTo(then);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C10 a resource in a wrapper is accepted; the dump has the inner bytes")
  void c10WrappedResourceIsAccepted(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(LDS, "foo");
      h.stream().skipRequests();

      h.respond(response(LDS).version("1").nonce("A").wrapped("foo", "foo", "one"));

      assertThat(w.resource()).isEqualTo("one");
      ack(h.stream(), "1", "A");
      assertThat(cached(h, LDS, "foo").serialized()).isEqualTo(TestType.bytes("foo", "one"));
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C11 unchanged resource: no call, but ACK, valid counter, and dump time and version")
  void c11UnchangedResourceOnlyMovesTimeAndVersion(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(CDS, "foo");
      h.respond(response(CDS).version("1").nonce("A").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.stream().skipRequests();
      h.advanceSeconds(9);

      h.respond(response(CDS).version("2").nonce("B").resource("foo", "one"));

      w.nothing();
      ack(h.stream(), "2", "B");
      assertThat(h.observer.valid(SERVER, CDS)).isEqualTo(2);
      assertThat(cached(h, CDS, "foo").version()).isEqualTo("2");
      assertThat(cached(h, CDS, "foo").updated()).isEqualTo(h.time.now());
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("E03 duplicate updates are ignored, however often they come")
  void e03DuplicateUpdatesAreIgnored(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched foo = h.watch(EDS, "foo");
      ClientHarness.Watched bar = h.watch(EDS, "bar");
      for (int i = 1; i <= 5; i++) {
        h.stream().skipRequests();
        h.respond(
            response(EDS)
                .version("" + i)
                .nonce("n" + i)
                .resource("foo", "same")
                .resource("bar", "v" + i));
        ack(h.stream(), "" + i, "n" + i);
        assertThat(bar.resource()).isEqualTo("v" + i);
      }
      assertThat(foo.resource()).isEqualTo("same");
      foo.nothing();
    }
  }

  @ParameterizedTest
  @MethodSource("dev.holdfast.xds.client.conformance.Checks#protocolsAndTypes")
  @DisplayName("G02 after cancel, an update for that name calls nobody")
  void g02UpdateAfterCancelCallsNobody(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched cancelled = h.watch(type, "foo");
      h.watch(type, "keeps-the-stream");
      h.respond(response(type).version("1").resource("foo", "one"));
      assertThat(cancelled.resource()).isEqualTo("one");
      cancelled.cancel();
      h.stream().skipRequests();

      h.respond(response(type).version("2").nonce("B").resource("foo", "two"));

      cancelled.nothing();
      ack(h.stream(), "2", "B");
      assertThat(h.state(type, "foo")).isEqualTo("not shown");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G02 a call that waits in the watcher's executor is dropped by cancel")
  void g02CallThatWaitsIsDroppedByCancel(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ManualExecutor executor = new ManualExecutor();
      ClientHarness.Watched slow = h.watch(LDS, "foo", executor);
      h.watch(LDS, "foo");
      h.respond(response(LDS).resource("foo", "one"));
      assertThat(executor.pending()).isEqualTo(1);
      assertThat(h.stream().isReading()).as("waits for the watcher").isFalse();

      slow.cancel();
      executor.runAll();
      h.settle();

      slow.nothing();
      assertThat(h.stream().isReading()).as("no longer waits").isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "G03 two watchers, one cancelled: a redundant update calls nobody, a real one the remaining")
  void g03OnlyTheRemainingWatcherHearsARealUpdate(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched stays = h.watch(RDS, "foo");
      ClientHarness.Watched leaves = h.watch(RDS, "foo");
      h.respond(response(RDS).version("1").resource("foo", "one"));
      assertThat(stays.resource()).isEqualTo("one");
      assertThat(leaves.resource()).isEqualTo("one");
      leaves.cancel();

      h.respond(response(RDS).version("2").resource("foo", "one"));
      stays.nothing();
      h.respond(response(RDS).version("3").resource("foo", "two"));

      assertThat(stays.resource()).isEqualTo("two");
      stays.nothing();
      leaves.nothing();
    }
  }

  @ParameterizedTest
  @MethodSource("dev.holdfast.xds.client.conformance.Checks#protocolsAndTypes")
  @DisplayName("G04 three watchers over two names, one response with both: all are called")
  void g04AllWatchersOfAllNamesAreCalled(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched a = h.watch(type, "foo");
      ClientHarness.Watched b = h.watch(type, "foo");
      ClientHarness.Watched c = h.watch(type, "bar");

      h.respond(response(type).resource("foo", "one").resource("bar", "two"));

      assertThat(a.resource()).isEqualTo("one");
      assertThat(b.resource()).isEqualTo("one");
      assertThat(c.resource()).isEqualTo("two");
      a.nothing();
      b.nothing();
      c.nothing();
      assertThat(h.observer.valid(SERVER, type)).isEqualTo(2);
    }
  }

  @Test
  @DisplayName("R38 Delta: a resource's version is its own, not the response's")
  void r38DeltaResourceVersionIsItsOwn() {
    try (ClientHarness h = ClientHarness.delta()) {
      ClientHarness.Watched w = h.watch(LDS, "foo");

      h.stream()
          .deliver(
              DeltaDiscoveryResponse.newBuilder()
                  .setTypeUrl(LDS.typeUrl())
                  .setSystemVersionInfo("system-9")
                  .setNonce("A")
                  .addResources(
                      Resource.newBuilder()
                          .setName("foo")
                          .setVersion("own-1")
                          .setResource(LDS.any("foo", "one")))
                  .build()
                  .toByteString());
      h.settle();

      assertThat(Objects.requireNonNull(w.watcher.current()).version()).isEqualTo("own-1");
      assertThat(cached(h, LDS, "foo").version()).isEqualTo("own-1");
    }
  }
}
