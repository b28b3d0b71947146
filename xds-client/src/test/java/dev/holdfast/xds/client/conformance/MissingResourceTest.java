// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.ErrorTexts.assertError;
import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static io.grpc.Status.Code.NOT_FOUND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.ClientHarness.Watched;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.transport.AdsProtocol;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The ways in which a resource can be missing, for each type. */
class MissingResourceTest {
  static Stream<Arguments> typesAndProtocols() {
    return TestType.all().stream()
        .flatMap(type -> Stream.of(AdsProtocol.values()).map(p -> Arguments.of(p, type)));
  }

  @ParameterizedTest
  @MethodSource("typesAndProtocols")
  @DisplayName("E50 the server says nothing at all")
  void e50SilentServer(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(type, "foo");

      h.advanceSeconds(15);

      expectMissing(h, w, type, "foo");
    }
  }

  @ParameterizedTest
  @MethodSource("typesAndProtocols")
  @DisplayName("E50 the server answers, but without the resource")
  void e50MissingResource(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched w = h.watch(type, "foo");
      h.respond(response(type));
      w.nothing();

      h.advanceSeconds(15);

      expectMissing(h, w, type, "foo");
    }
  }

  @ParameterizedTest
  @MethodSource("typesAndProtocols")
  @DisplayName("E50 the server has one resource, but not the second")
  void e50MissingSecondResource(AdsProtocol protocol, TestType type) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched first = h.watch(type, "first");
      h.respond(response(type).resource("first", "one"));
      assertThat(first.resource()).isEqualTo("one");
      h.advanceSeconds(5);
      Watched second = h.watch(type, "second");
      if (protocol == AdsProtocol.SOTW) {
        h.respond(response(type).resource("first", "one"));
      }
      second.nothing();

      h.advanceSeconds(15);

      expectMissing(h, second, type, "second");
      first.nothing();
      assertThat(h.state(type, "first")).isEqualTo("acked");
    }
  }

  private static void expectMissing(ClientHarness h, Watched w, TestType type, String name) {
    assertError(
        w.error(), NOT_FOUND, type, name, "does not exist", SERVER, "did not send it within 15 s");
    w.nothing();
    assertThat(h.state(type, name)).isEqualTo("does_not_exist");
  }
}
