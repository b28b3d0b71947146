// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.Checks.ack;
import static dev.holdfast.xds.client.conformance.Checks.cached;
import static dev.holdfast.xds.client.conformance.Checks.entry;
import static dev.holdfast.xds.client.conformance.Checks.failure;
import static dev.holdfast.xds.client.conformance.Checks.nack;
import static dev.holdfast.xds.client.conformance.Checks.says;
import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.CDS;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** An invalid resource: who hears what, what is kept, and what the server is told. */
class NackTest {
  private static final String EACH = "dev.holdfast.xds.client.conformance.Checks#protocolsAndTypes";

  @ParameterizedTest
  @MethodSource(EACH)
  @DisplayName(
      "C20 invalid first response: changed(INVALID_ARGUMENT), nacked, NACK without version; a later good one reaches all")
  void c20InvalidFirstResponse(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched first = h.watch(type, "foo");
      h.stream().skipRequests();

      h.respond(response(type).version("1").nonce("A").resource("foo", "bad:port too high"));

      Status error = first.error();
      says(
          error,
          Status.Code.INVALID_ARGUMENT,
          type.shortName() + " resource foo",
          "value: port too high");
      first.nothing();
      assertThat(nack(h.stream(), "", "A"))
          .isEqualTo(
              type.shortName()
                  + " response validation errors: [resource index 0: foo: value: port too high]");
      assertThat(h.state(type, "foo")).isEqualTo("nacked");
      assertThat(h.observer.invalid(SERVER, type)).isEqualTo(1);
      assertThat(h.observer.valid(SERVER, type)).isZero();
      assertThat(h.observer.nacks()).hasSize(1);

      ClientHarness.Watched second = h.watch(type, "foo");
      Status replayed = second.error();
      assertThat(replayed.getCode()).isEqualTo(error.getCode());
      assertThat(replayed.getDescription()).isEqualTo(error.getDescription());
      Checks.noRequest(h.stream());

      h.respond(response(type).version("2").nonce("B").resource("foo", "good"));
      assertThat(first.resource()).isEqualTo("good");
      assertThat(second.resource()).isEqualTo("good");
      first.nothing();
      second.nothing();
      ack(h.stream(), "2", "B");
      assertThat(h.state(type, "foo")).isEqualTo("acked");
      assertThat(entry(h, type, "foo").failure()).isNull();
    }
  }

  @ParameterizedTest
  @MethodSource(EACH)
  @DisplayName(
      "C22 invalid update of a cached resource: ambient, kept, nacked_but_cached, NACK with the old version")
  void c22InvalidUpdateIsAmbient(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched first = h.watch(type, "foo");
      h.respond(response(type).version("1").nonce("A").resource("foo", "one"));
      assertThat(first.resource()).isEqualTo("one");
      Instant then = h.time.now();
      h.stream().skipRequests();
      h.advanceSeconds(6);

      h.respond(response(type).version("2").nonce("B").resource("foo", "bad:x"));

      says(
          first.ambient(),
          Status.Code.INVALID_ARGUMENT,
          type.shortName() + " resource foo",
          "value: x");
      first.nothing();
      nack(h.stream(), "1", "B");
      assertThat(h.state(type, "foo")).isEqualTo("nacked_but_cached");
      assertThat(h.observer.resources(type, "nacked_but_cached")).isEqualTo(1);
      assertThat(cached(h, type, "foo").version()).isEqualTo("1");
      assertThat(cached(h, type, "foo").updated()).isEqualTo(then);
      assertThat(cached(h, type, "foo").serialized()).isEqualTo(TestType.bytes("foo", "one"));
      assertThat(failure(h, type, "foo").version()).isEqualTo("2");
      assertThat(failure(h, type, "foo").time()).isEqualTo(h.time.now());

      ClientHarness.Watched second = h.watch(type, "foo");
      assertThat(second.resource()).isEqualTo("one");
      says(second.ambient(), Status.Code.INVALID_ARGUMENT, "value: x");
      second.nothing();
      first.nothing();
    }
  }

  @ParameterizedTest
  @MethodSource(EACH)
  @DisplayName(
      "C23 the same with fail_on_data_errors: changed(error), nacked, no resource; a new watcher gets only the error")
  void c23InvalidUpdateDropsWithTheFeature(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol, ServerFeature.FAIL_ON_DATA_ERRORS)) {
      ClientHarness.Watched first = h.watch(type, "foo");
      h.respond(response(type).version("1").nonce("A").resource("foo", "one"));
      assertThat(first.resource()).isEqualTo("one");
      h.stream().skipRequests();

      h.respond(response(type).version("2").nonce("B").resource("foo", "bad:x"));

      says(
          first.error(),
          Status.Code.INVALID_ARGUMENT,
          type.shortName() + " resource foo",
          "value: x");
      first.nothing();
      nack(h.stream(), "", "B"); // version 1 is no longer held
      assertThat(h.state(type, "foo")).isEqualTo("nacked");
      assertThat(entry(h, type, "foo").resource()).isNull();
      assertThat(failure(h, type, "foo").version()).isEqualTo("2");

      ClientHarness.Watched second = h.watch(type, "foo");
      says(second.error(), Status.Code.INVALID_ARGUMENT, "value: x");
      second.nothing();

      h.respond(response(type).version("3").nonce("C").resource("foo", "one"));
      assertThat(first.resource()).isEqualTo("one");
      assertThat(second.resource()).isEqualTo("one");
    }
  }

  @ParameterizedTest
  @MethodSource(EACH)
  @DisplayName("C24 the same with the feature but the switch off: as C22")
  void c24FeatureWithoutTheSwitchKeeps(AdsProtocol protocol, TestType type) {
    try (ClientHarness h =
        new ClientHarness(
            ClientHarness.config(protocol, ServerFeature.FAIL_ON_DATA_ERRORS)
                .behaviour(ClientHarness.behaviour().withDataErrorHandling(false))
                .build())) {
      ClientHarness.Watched first = h.watch(type, "foo");
      h.respond(response(type).version("1").nonce("A").resource("foo", "one"));
      assertThat(first.resource()).isEqualTo("one");
      h.stream().skipRequests();

      h.respond(response(type).version("2").nonce("B").resource("foo", "bad:x"));

      says(first.ambient(), Status.Code.INVALID_ARGUMENT, "resource foo", "value: x");
      nack(h.stream(), "1", "B");
      assertThat(h.state(type, "foo")).isEqualTo("nacked_but_cached");
      assertThat(cached(h, type, "foo").version()).isEqualTo("1");
      ClientHarness.Watched second = h.watch(type, "foo");
      assertThat(second.resource()).isEqualTo("one");
      says(second.ambient(), Status.Code.INVALID_ARGUMENT, "value: x");
    }
  }

  @ParameterizedTest
  @MethodSource(EACH)
  @DisplayName("G24 a new watcher after a NACK: the error if nothing is cached")
  void g24NewWatcherWithNothingCached(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(type, "foo");
      h.respond(response(type).version("1").resource("foo", "bad:x"));

      ClientHarness.Watched late = h.watch(type, "foo");

      says(late.error(), Status.Code.INVALID_ARGUMENT, "resource foo", "value: x");
      late.nothing();
    }
  }

  @ParameterizedTest
  @MethodSource(EACH)
  @DisplayName("G24 a new watcher after a NACK: the resource, then the error, if one is cached")
  void g24NewWatcherWithAResourceCached(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(type, "foo");
      h.respond(response(type).version("1").resource("foo", "one"));
      h.respond(response(type).version("2").resource("foo", "bad:x"));

      ClientHarness.Watched late = h.watch(type, "foo");

      assertThat(late.resource()).isEqualTo("one");
      says(late.ambient(), Status.Code.INVALID_ARGUMENT, "resource foo", "value: x");
      late.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G27 the dump after a NACK has the old good version and the error beside it")
  void g27DumpAfterANack(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(CDS, "foo");
      h.watch(CDS, "never-good");
      h.respond(
          response(CDS)
              .version("1")
              .nonce("A")
              .resource("foo", "one")
              .resource("never-good", "bad:p"));
      Instant then = h.time.now();
      h.advanceSeconds(1);
      h.respond(
          response(CDS)
              .version("2")
              .nonce("B")
              .resource("foo", "bad:q")
              .resource("never-good", "bad:r"));

      assertThat(cached(h, CDS, "foo").version()).isEqualTo("1");
      assertThat(cached(h, CDS, "foo").updated()).isEqualTo(then);
      says(
          failure(h, CDS, "foo").status(),
          Status.Code.INVALID_ARGUMENT,
          "CDS resource foo",
          "value: q");
      assertThat(failure(h, CDS, "foo").version()).isEqualTo("2");
      assertThat(entry(h, CDS, "never-good").resource()).isNull();
      says(failure(h, CDS, "never-good").status(), Status.Code.INVALID_ARGUMENT, "value: r");
      assertThat(h.observer.resources(CDS, "nacked_but_cached")).isEqualTo(1);
      assertThat(h.observer.resources(CDS, "nacked")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C22 a node without an id adds nothing to errors")
  void c22NodeWithoutAnId(AdsProtocol protocol) {
    try (ClientHarness h = new ClientHarness(ClientHarness.config(protocol).nodeId("").build())) {
      ClientHarness.Watched w = h.watch(LDS, "foo");

      h.respond(response(LDS).resource("foo", "bad:x"));

      assertThat(w.error().getDescription()).isEqualTo("LDS resource foo: invalid: value: x");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "R40 the NACK lists all problems of all resources by index, each time in the same order")
  void r40NackListsAllProblemsByIndex(AdsProtocol protocol) {
    String expected =
        "CDS response validation errors: [resource index 0: zeta: value: z1; value: z2; "
            + "resource index 2: alpha: value: a; "
            + "resource index 3: not a test resource; "
            + "resource index 4: beta: the decoder failed: java.lang.IllegalStateException: b]";
    for (int i = 0; i < 3; i++) {
      try (ClientHarness h = ClientHarness.of(protocol)) {
        for (String name : new String[] {"beta", "good", "alpha", "zeta"}) {
          h.watchLater(CDS, name);
        }
        h.settle();
        for (String nonce : new String[] {"A", "B"}) {
          h.stream().skipRequests();
          h.respond(
              response(CDS)
                  .version("1")
                  .nonce(nonce)
                  .resource("zeta", "bad:z1|z2")
                  .resource("good", "one")
                  .resource("alpha", "bad:a")
                  .garbage()
                  .resource("beta", "throw:b"));
          h.advanceSeconds(0.1); // the second time it waits
          assertThat(nack(h.stream(), "1", nonce)).isEqualTo(expected);
        }
        assertThat(h.observer.nacks()).containsExactly(expected, expected);
      }
    }
  }
}
