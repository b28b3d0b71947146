// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.Checks.nack;
import static dev.holdfast.xds.client.conformance.Checks.says;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.base.Decoded;
import dev.holdfast.xds.client.Completeness;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.fixture.TestWatcher;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A decoder that fails is one problem of one resource. */
class DecoderFailureTest {
  @ParameterizedTest
  @MethodSource("dev.holdfast.xds.client.conformance.Checks#protocolsAndTypes")
  @DisplayName("G26 a parser that throws is contained as an error of its resource")
  void g26ThrowingParserIsContained(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched broken = h.watch(type, "broken");
      ClientHarness.Watched good = h.watch(type, "good");
      h.stream().skipRequests();

      h.respond(
          response(type)
              .version("1")
              .nonce("A")
              .resource("broken", "throw:index out of range")
              .resource("good", "one"));

      says(
          broken.error(),
          Status.Code.INVALID_ARGUMENT,
          type.shortName() + " resource broken",
          "the decoder failed",
          "index out of range");
      assertThat(good.resource()).isEqualTo("one");
      assertThat(nack(h.stream(), "1", "A"))
          .contains("resource index 0: broken: the decoder failed", "index out of range");
      assertThat(h.state(type, "broken")).isEqualTo("nacked");
      assertThat(h.stream().isReading()).isTrue();
      assertThat(h.observer.uncaught()).isEmpty();

      h.respond(
          response(type)
              .version("2")
              .nonce("B")
              .resource("broken", "mended")
              .resource("good", "one"));
      assertThat(broken.resource()).isEqualTo("mended");
    }
  }

  @ParameterizedTest
  @MethodSource("failures")
  @DisplayName("G26 whatever a type's code throws, wherever: the stream goes on")
  void g26WhateverIsThrownTheStreamGoesOn(AdsProtocol protocol, Supplier<Error> failure) {
    Fragile type = new Fragile(failure);
    try (ClientHarness h = ClientHarness.of(protocol)) {
      TestWatcher watcher = new TestWatcher("foo");
      h.client.watch(type, "foo", watcher);
      h.settle();
      h.stream().skipRequests();
      TestType wire = new TestType("Fragile", "example.v1.Fragile", Completeness.FULL);

      h.respond(response(wire).version("1").nonce("A").entry("", wire.any("foo", "x")));

      assertThat(nack(h.stream(), "", "A")).contains("resource index 0: the decoder failed");
      watcher.nothing();
      assertThat(h.stream().isReading()).isTrue();
    }
  }

  static Stream<Arguments> failures() {
    return Arrays.stream(AdsProtocol.values())
        .flatMap(
            protocol ->
                Stream.<Supplier<Error>>of(
                        () -> new AssertionError("not so"),
                        () -> new NoClassDefFoundError("Missing"),
                        StackOverflowError::new)
                    .map(failure -> Arguments.of(protocol, failure)));
  }

  /** Fails at every turn. */
  private record Fragile(Supplier<Error> failure) implements ResourceType<String> {
    @Override
    public String typeUrl() {
      return "type.googleapis.com/example.v1.Fragile";
    }

    @Override
    public String shortName() {
      return "Fragile";
    }

    @Override
    public Completeness completeness() {
      return Completeness.FULL;
    }

    @Override
    public Decoded<String> decode(ByteString serialized, ServerConfig server) {
      throw failure.get();
    }

    @Override
    public String peekName(ByteString serialized) {
      throw failure.get();
    }
  }
}
