// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static dev.holdfast.xds.client.fixture.TestType.RDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.FakeStream;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams that wait for a connection: nothing may hang in silence. */
class DispatchTest {
  private static final Status GONE = Status.UNAVAILABLE.withDescription("gone");

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  void aStreamThatDoesNotGetOutWithin30SecondsIsReportedAndHeals(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.servers.autoSend(false);
      ClientHarness.Watched w = h.watch(LDS, "foo");
      h.advanceSeconds(29.9);
      w.nothing();

      h.advanceSeconds(0.1);
      Status error = w.error();
      assertThat(error.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(error.getDescription())
          .contains("LDS resource foo", SERVER, "waiting for a connection after 30 s")
          .endsWith("(node ID:node-1)");
      assertThat(h.state(LDS, "foo")).isEqualTo("requested");
      assertThat(h.observer.connected(SERVER)).isFalse();
      assertThat(h.observer.failures(SERVER)).isEqualTo(1);
      h.advanceSeconds(600);
      w.nothing();

      FakeStream stream = h.stream();
      h.servers.autoSend(true);
      stream.sent();
      h.settle();
      h.advanceSeconds(14);
      w.nothing(); // the resource timer runs only now
      h.respond(stream, response(LDS).resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      w.nothing();
      assertThat(h.transport().streams()).hasSize(1);
      assertThat(h.observer.connected(SERVER)).isTrue();
    }
  }

  @Test
  void theResourceTimerOfAStreamThatGotOutLateEndsInItsOwnTime() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.servers.autoSend(false);
      ClientHarness.Watched w = h.watch(LDS, "foo");
      h.advanceSeconds(30);
      assertThat(w.error().getCode()).isEqualTo(Status.Code.UNAVAILABLE);

      h.stream().sent();
      h.settle();
      h.advanceSeconds(15);

      Status error = w.error();
      assertThat(error.getCode()).isEqualTo(Status.Code.NOT_FOUND);
      assertThat(error.getDescription()).doesNotContain("waiting for a connection");
      w.nothing();
    }
  }

  @Test
  void aStreamThatDoesNotGetOutIsAmbientForWhatIsCached() {
    try (ClientHarness h = ClientHarness.sotw()) {
      ClientHarness.Watched cached = h.watch(LDS, "foo");
      h.respond(response(LDS).resource("foo", "one"));
      assertThat(cached.resource()).isEqualTo("one");
      ClientHarness.Watched waiting = h.watch(RDS, "bar");
      h.advanceSeconds(10);
      h.servers.autoSend(false);
      h.closeStream(GONE);
      h.advanceSeconds(1 + 30);

      assertThat(cached.ambient().getDescription()).contains("waiting for a connection");
      assertThat(waiting.error().getDescription()).contains("waiting for a connection");

      h.servers.autoSend(true);
      h.stream().sent();
      h.settle();
      h.respond(response(RDS).resource("bar", "two"));
      assertThat(waiting.resource()).isEqualTo("two");
      assertThat(cached.ambient()).isEqualTo(Status.OK);
    }
  }

  @Test
  void aChannelThatSaysWhyItFailsIsNotDrownedOutByTheWait() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.servers.autoSend(false);
      ClientHarness.Watched w = h.watch(LDS, "foo");
      h.transport().transientFailure(Status.UNAVAILABLE.withDescription("unknown host"));
      h.settle();
      assertThat(w.error().getDescription()).contains("unknown host");

      h.advanceSeconds(60);

      w.nothing();
      ClientHarness.Watched late = h.watch(LDS, "foo");
      assertThat(late.error().getDescription()).contains("unknown host");
    }
  }

  @Test
  void anAttemptThatNeverReachedTheServerIsRepeatedOnceThereIsAConnection() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.servers.autoSend(false);
      ClientHarness.Watched w = h.watch(LDS, "foo");
      h.closeStream(GONE);
      assertThat(w.error().getDescription()).contains("gone");
      assertThat(h.transport().streams()).hasSize(1);

      h.transport().connected();
      h.settle();

      assertThat(h.transport().streams()).hasSize(2);
      assertThat(h.stream().subscribed(LDS)).containsExactly("foo");
    }
  }

  @Test
  void anAttemptThatReachedTheServerAndFailedThereWaitsAllTheSame() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.watch(LDS, "foo");
      h.closeStream(GONE);

      h.transport().connected();
      h.settle();
      assertThat(h.transport().streams()).hasSize(1);

      h.advanceSeconds(1);
      assertThat(h.transport().streams()).hasSize(2);
    }
  }

  @Test
  void aStreamThatDiedYoungWaitsAllTheSame() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.watch(LDS, "foo");
      h.respond(response(LDS).resource("foo", "one"));
      h.closeStream(GONE);

      h.transport().connected();
      h.settle();

      assertThat(h.transport().hasOpenStream()).isFalse();
    }
  }

  @Test
  void aConnectionThatIsUpWhileAStreamIsUpChangesNothing() {
    try (ClientHarness h = ClientHarness.sotw()) {
      ClientHarness.Watched w = h.watch(LDS, "foo");
      h.respond(response(LDS).resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");

      h.transport().connected();
      h.settle();

      assertThat(h.transport().streams()).hasSize(1);
      assertThat(h.time.pending()).isEmpty();
      w.nothing();
    }
  }
}
