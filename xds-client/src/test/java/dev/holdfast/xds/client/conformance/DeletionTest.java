// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.ErrorTexts.assertError;
import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.CDS;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static io.grpc.Status.Code.NOT_FOUND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.CacheEntry.Cached;
import dev.holdfast.xds.client.CacheEntry.Failure;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.ClientHarness.Watched;
import dev.holdfast.xds.client.fixture.ResponseBuilder;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Resources that the server no longer has: checklist section 3.4. */
class DeletionTest {
  /** The types that a response lists in full, over both protocols. */
  static Stream<Arguments> fullTypes() {
    return Stream.of(AdsProtocol.values())
        .flatMap(protocol -> Stream.of(LDS, CDS).map(type -> Arguments.of(protocol, type)));
  }

  /** A response by which {@code name} is no more, whatever else it holds. */
  private static ResponseBuilder without(String name, TestType type, AdsProtocol protocol) {
    return protocol == AdsProtocol.DELTA ? response(type).removed(name) : response(type);
  }

  @ParameterizedTest
  @MethodSource("fullTypes")
  @DisplayName("C40 with fail_on_data_errors a deletion takes the resource away")
  void c40DeletionTakesTheResourceAway(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol, ServerFeature.FAIL_ON_DATA_ERRORS)) {
      Watched w = h.watch(type, "foo");
      h.respond(response(type).version("1").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.stream().skipRequests();
      h.advanceSeconds(5);

      h.respond(without("foo", type, protocol).version("2").nonce("B"));

      assertError(w.error(), NOT_FOUND, type, "foo", "does not exist", SERVER);
      w.nothing();
      assertThat(h.stream().request().isNack()).isFalse();
      assertThat(h.state(type, "foo")).isEqualTo("does_not_exist");
      CacheEntry<?> entry = Objects.requireNonNull(h.dump(type, "foo"));
      assertThat(entry.resource()).isNull();
      Failure failure = Objects.requireNonNull(entry.failure());
      assertThat(failure.status().getDescription()).contains("does not exist");
      assertThat(failure.version()).isEqualTo("2");
      assertThat(failure.time()).isEqualTo(h.time.now());

      Watched late = h.watch(type, "foo");
      assertError(late.error(), NOT_FOUND, type, "foo", "does not exist");

      h.respond(response(type).version("3").resource("foo", "one"));
      for (Watched each : List.of(w, late)) {
        assertThat(each.resource()).isEqualTo("one");
        each.nothing();
      }
      assertThat(h.state(type, "foo")).isEqualTo("acked");
    }
  }

  @ParameterizedTest
  @MethodSource("fullTypes")
  @DisplayName("C41 by default the resource stays in use and the deletion is an ambient error")
  void c41DeletionIsAmbient(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(type, "foo");
      h.respond(response(type).version("1").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      Instant received = h.time.now();
      h.advanceSeconds(5);

      h.respond(without("foo", type, protocol).version("2"));

      assertError(w.ambient(), NOT_FOUND, type, "foo", "does not exist", SERVER);
      w.nothing();
      assertThat(h.state(type, "foo")).isEqualTo("does_not_exist_but_cached");
      CacheEntry<?> entry = Objects.requireNonNull(h.dump(type, "foo"));
      assertThat(entry.state()).isEqualTo(CacheEntry.State.DOES_NOT_EXIST);
      Cached<?> kept = Objects.requireNonNull(entry.resource());
      assertThat(kept.serialized()).isEqualTo(TestType.bytes("foo", "one"));
      assertThat(kept.version()).isEqualTo("1");
      assertThat(kept.updated()).isEqualTo(received);
      Failure failure = Objects.requireNonNull(entry.failure());
      assertThat(failure.version()).isEqualTo("2");
      assertThat(failure.time()).isEqualTo(h.time.now());

      Watched late = h.watch(type, "foo");
      assertThat(late.resource()).isEqualTo("one");
      assertError(late.ambient(), NOT_FOUND, type, "foo", "does not exist");

      h.respond(response(type).version("3").resource("foo", "two"));
      for (Watched each : List.of(w, late)) {
        assertThat(each.resource()).isEqualTo("two");
        each.nothing();
      }
      assertThat(h.state(type, "foo")).isEqualTo("acked");
    }
  }

  @ParameterizedTest
  @MethodSource("fullTypes")
  @DisplayName("G40 a removal is told to the removed name's watcher only")
  void g40RemovalIsToldToItsWatcherOnly(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol, ServerFeature.FAIL_ON_DATA_ERRORS)) {
      Watched foo = h.watch(type, "foo");
      Watched bar = h.watch(type, "bar");
      h.respond(response(type).version("1").resource("foo", "one").resource("bar", "one"));
      assertThat(foo.resource()).isEqualTo("one");
      assertThat(bar.resource()).isEqualTo("one");

      h.respond(without("foo", type, protocol).version("2").resource("bar", "one"));
      assertError(foo.error(), NOT_FOUND, type, "foo", "does not exist");
      bar.nothing();
      assertThat(h.state(type, "bar")).isEqualTo("acked");

      h.respond(response(type).version("3").resource("bar", "two"));
      assertThat(bar.resource()).isEqualTo("two");
      foo.nothing();
      assertThat(h.state(type, "foo")).isEqualTo("does_not_exist");
    }
  }

  @ParameterizedTest
  @MethodSource("fullTypes")
  @DisplayName("G41 a new watcher of a removed resource is told at once, without a request")
  void g41NewWatcherIsToldAtOnce(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol, ServerFeature.FAIL_ON_DATA_ERRORS)) {
      h.watch(type, "foo");
      h.respond(response(type).resource("foo", "one"));
      h.respond(without("foo", type, protocol));
      h.stream().skipRequests();

      Watched late = h.watch(type, "foo");

      assertError(late.error(), NOT_FOUND, type, "foo", "does not exist");
      late.nothing();
      assertThat(h.stream().unseenRequests()).isZero();
      h.advanceSeconds(60); // and no timer says it again
      late.nothing();
    }
  }

  @ParameterizedTest
  @MethodSource("fullTypes")
  @DisplayName("G42 a response that never held the name deletes nothing; only the timer decides")
  void g42OnlyTheTimerDecides(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched foo = h.watch(type, "foo");
      Watched bar = h.watch(type, "bar");
      h.advanceSeconds(5);

      h.respond(response(type).resource("bar", "one"));
      assertThat(bar.resource()).isEqualTo("one");
      foo.nothing();
      assertThat(h.state(type, "foo")).isEqualTo("requested");

      h.advanceSeconds(10);
      assertError(foo.error(), NOT_FOUND, type, "foo", "did not send it within 15 s");
      bar.nothing();
    }
  }

  @Test
  @DisplayName("G42 a response on a stream that has not yet asked for the name deletes nothing")
  void g42NotAskedYet() {
    try (ClientHarness h = ClientHarness.sotw(ServerFeature.FAIL_ON_DATA_ERRORS)) {
      h.watch(CDS, "bar");
      Watched foo = h.watch(LDS, "foo");
      h.respond(response(LDS).resource("foo", "one"));
      assertThat(foo.resource()).isEqualTo("one");
      h.closeStream(Status.OK);
      h.servers.autoSend(false);
      h.advanceSeconds(1);
      assertThat(h.stream().subscribed(LDS)).isEmpty(); // behind the request for clusters

      h.respond(response(LDS).version("2"));

      foo.nothing();
      assertThat(h.state(LDS, "foo")).isEqualTo("acked");
    }
  }

  @ParameterizedTest
  @MethodSource("fullTypes")
  @DisplayName("G43 the next response is read when the watcher is done with the removal")
  void g43RemovalHoldsTheRead(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ManualExecutor slow = new ManualExecutor();
      Watched w = h.watch(type, "foo", slow);
      h.respond(response(type).version("1").resource("foo", "one"));
      slow.runAll();
      h.settle();
      assertThat(w.resource()).isEqualTo("one");
      assertThat(h.stream().isReading()).isTrue();
      h.stream().skipRequests();

      h.respond(without("foo", type, protocol).version("2").nonce("B"));
      h.respond(response(type).version("3").nonce("C").resource("foo", "two"));

      assertThat(h.stream().request().nonce()).isEqualTo("B"); // the answer does not wait
      assertThat(h.stream().isReading()).isFalse();
      assertThat(h.stream().unread()).isEqualTo(1);
      w.nothing();

      slow.runAll();
      h.settle();
      assertError(w.ambient(), NOT_FOUND, type, "foo", "does not exist");
      assertThat(h.stream().unread()).isZero();
      slow.runAll();
      h.settle();
      assertThat(w.resource()).isEqualTo("two");
    }
  }

  @ParameterizedTest
  @MethodSource("fullTypes")
  @DisplayName("E40 switched off, a deletion drops unless gRFC A53's feature says otherwise")
  void e40SwitchedOffADeletionDrops(AdsProtocol protocol, TestType type) {
    expectAfterDeletion(protocol, type, /* switchedOn= */ false, List.of(), "does_not_exist");
    expectAfterDeletion(
        protocol,
        type,
        /* switchedOn= */ false,
        List.of(ServerFeature.IGNORE_RESOURCE_DELETION),
        "acked");
  }

  @ParameterizedTest
  @MethodSource("fullTypes")
  @DisplayName("E40 switched on, a deletion keeps unless fail_on_data_errors says otherwise")
  void e40SwitchedOnADeletionKeeps(AdsProtocol protocol, TestType type) {
    expectAfterDeletion(
        protocol, type, /* switchedOn= */ true, List.of(), "does_not_exist_but_cached");
    expectAfterDeletion(
        protocol,
        type,
        /* switchedOn= */ true,
        List.of(ServerFeature.FAIL_ON_DATA_ERRORS, ServerFeature.IGNORE_RESOURCE_DELETION),
        "does_not_exist");
  }

  private static void expectAfterDeletion(
      AdsProtocol protocol,
      TestType type,
      boolean switchedOn,
      List<ServerFeature> features,
      String state) {
    try (ClientHarness h =
        new ClientHarness(
            ClientHarness.config(protocol, features.toArray(new ServerFeature[0]))
                .behaviour(ClientHarness.behaviour().withDataErrorHandling(switchedOn))
                .build())) {
      Watched w = h.watch(type, "foo");
      h.respond(response(type).resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");

      h.respond(without("foo", type, protocol));

      assertThat(h.state(type, "foo")).isEqualTo(state);
      switch (state) {
        case "does_not_exist" -> assertError(w.error(), NOT_FOUND, type, "foo", "does not exist");
        case "acked" -> w.nothing();
        default -> assertError(w.ambient(), NOT_FOUND, type, "foo", "does not exist");
      }
      w.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("X40 repeated omission: told once, the dump follows")
  void x40RepeatedOmissionIsStable(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(LDS, "foo");
      h.respond(response(LDS).version("1").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.respond(without("foo", LDS, protocol).version("2"));
      assertError(w.ambient(), NOT_FOUND, LDS, "foo", "does not exist");

      h.advanceSeconds(1);
      h.respond(without("foo", LDS, protocol).version("3"));

      w.nothing();
      assertThat(h.state(LDS, "foo")).isEqualTo("does_not_exist_but_cached");
      CacheEntry<?> entry = Objects.requireNonNull(h.dump(LDS, "foo"));
      assertThat(Objects.requireNonNull(entry.failure()).version()).isEqualTo("3");
      assertThat(Objects.requireNonNull(entry.failure()).time()).isEqualTo(h.time.now());
      assertThat(Objects.requireNonNull(entry.resource()).version()).isEqualTo("1");
    }
  }

  @ParameterizedTest
  @MethodSource("fullTypes")
  @DisplayName("H40 an identical resource after a kept deletion ends the ambient error")
  void h40IdenticalResourceEndsTheError(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(type, "foo");
      h.respond(response(type).version("1").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      h.respond(without("foo", type, protocol).version("2"));
      assertError(w.ambient(), NOT_FOUND, type, "foo", "does not exist");

      h.respond(response(type).version("3").resource("foo", "one"));

      assertThat(w.ambient()).isEqualTo(Status.OK);
      w.nothing();
      assertThat(h.state(type, "foo")).isEqualTo("acked");
      CacheEntry<?> entry = Objects.requireNonNull(h.dump(type, "foo"));
      assertThat(entry.failure()).isNull();
      assertThat(Objects.requireNonNull(entry.resource()).version()).isEqualTo("3");
    }
  }
}
