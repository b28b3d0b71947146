// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.xds.client.Completeness;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.fixture.TestWatcher;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Watches that cannot work, or not yet: checklist section 3.6. */
class FailingWatchTest {
  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "G66 a connection that cannot be made is an error with node id, tried again, and heals")
  void g66TransportThatCannotBeMade(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.servers.unusable(SERVER, new IllegalStateException("no such certificate: ca.pem"));
      ClientHarness.Watched w = h.watch(LDS, "foo");

      Status error = w.error();
      assertThat(error.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(error.getDescription())
          .contains("LDS resource foo", SERVER, "no such certificate: ca.pem")
          .endsWith("(node ID:node-1)");
      assertThat(h.observer.connected(SERVER)).isFalse();
      assertThat(h.observer.failures(SERVER)).isEqualTo(1);
      assertThat(h.state(LDS, "foo")).isEqualTo("requested");
      ClientHarness.Watched late = h.watch(LDS, "foo");
      assertThat(late.error().getDescription()).isEqualTo(error.getDescription());

      h.advanceSeconds(1);
      w.nothing(); // the same again
      h.servers.unusable(SERVER, null);
      h.advanceSeconds(1.6);
      h.respond(response(LDS).resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      assertThat(late.resource()).isEqualTo("one");
      assertThat(h.observer.connected(SERVER)).isTrue();
      assertThat(h.observer.uncaught()).isEmpty();
    }
  }

  @Test
  @DisplayName("G66 an exception without a text is named")
  void g66TransportThatCannotBeMadeForNoStatedReason() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.servers.unusable(SERVER, new NullPointerException());
      ClientHarness.Watched w = h.watch(LDS, "foo");

      assertThat(w.error().getDescription()).contains("java.lang.NullPointerException");
    }
  }

  @Test
  @DisplayName("G66 a second type with the type URL of another is refused at once")
  void g66TypeUrlHasOneType() {
    TestType impostor = new TestType("LDS2", LDS.typeName(), Completeness.PARTIAL);
    try (ClientHarness h = ClientHarness.sotw()) {
      h.watch(LDS, "foo");

      assertThatThrownBy(
              () -> h.client.watch(impostor, "foo", new TestWatcher("impostor"), Runnable::run))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("LDS2")
          .hasMessageContaining("expected: LDS")
          .hasMessageContaining(LDS.typeUrl());
      h.settle();
      assertThat(h.stream().subscribed(LDS)).containsExactly("foo");
    }
  }

  @Test
  @DisplayName("G66 an authority that the bootstrap does not know is an error with node id")
  void g66UnknownAuthority() {
    try (ClientHarness h = ClientHarness.sotw()) {
      ClientHarness.Watched w = h.watch(LDS, "xdstp://nobody/" + LDS.typeName() + "/foo");

      Status error = w.error();
      assertThat(error.getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
      assertThat(error.getDescription()).contains("nobody").endsWith("(node ID:node-1)");
      assertThat(h.servers.all()).isEmpty();
    }
  }

  @Test
  @DisplayName("a bootstrap without servers is an error with node id, and opens nothing")
  void noServersAtAll() {
    try (ClientHarness h =
        new ClientHarness(ClientHarness.config(AdsProtocol.SOTW).servers(List.of()).build())) {
      ClientHarness.Watched w = h.watch(LDS, "foo");

      Status error = w.error();
      assertThat(error.getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
      assertThat(error.getDescription())
          .contains("LDS resource foo", "no xDS servers")
          .endsWith("(node ID:node-1)");
      assertThat(h.dump()).isEmpty();
      w.cancel();
    }
  }

  @Test
  @DisplayName("without a node id there is no suffix")
  void noNodeIdNoSuffix() {
    try (ClientHarness h =
        new ClientHarness(ClientHarness.config(AdsProtocol.SOTW).nodeId("").build())) {
      ClientHarness.Watched w = h.watch(LDS, "foo");
      h.closeStream(Status.UNAVAILABLE.withDescription("gone"));

      assertThat(w.error().getDescription()).doesNotContain("node ID").endsWith("gone");
    }
  }
}
