// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.EDS;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.AuthorityConfig;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server that was away and has nothing new to say when it is back says nothing: a stream that
 * stays up is all that tells that it is well.
 */
class SilentServerTest {
  private static final Status GONE = Status.UNAVAILABLE.withDescription("connection refused");

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H62 a stream that stays up in silence for 15 s ends the ambient channel error")
  void h62SilenceOnANewStreamClearsTheChannelError(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched lds = cached(h);
      ClientHarness.Watched eds = h.watch(EDS, "foo");
      h.respond(response(EDS).resource("foo", "two"));
      assertThat(eds.resource()).isEqualTo("two");
      h.closeStream(GONE);
      h.advanceSeconds(1);
      h.closeStream(GONE);
      assertThat(lds.ambient().getDescription()).contains("connection refused");
      assertThat(eds.ambient().getDescription()).contains("connection refused");
      h.advanceSeconds(1);

      h.advanceSeconds(14.9);
      lds.nothing();
      assertThat(h.observer.connected(SERVER)).isFalse();

      h.advanceSeconds(0.1);
      assertThat(lds.ambient()).isEqualTo(Status.OK);
      assertThat(eds.ambient()).isEqualTo(Status.OK);
      lds.nothing();
      assertThat(h.observer.connected(SERVER)).isTrue();
    }
  }

  @Test
  @DisplayName(
      "H62 a stream that outlives its channel's failure ends the error 15 s after recovery")
  void h62SilenceOnASurvivingStreamClearsTheChannelError() {
    try (ClientHarness h = ClientHarness.sotw()) {
      ClientHarness.Watched w = cached(h);
      h.advanceSeconds(60);
      h.transport().transientFailure(GONE);
      h.settle();
      assertThat(w.ambient().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      h.advanceSeconds(60);
      w.nothing(); // nobody has said that the channel is well again

      h.transport().connected();
      h.settle();
      h.advanceSeconds(14.9);
      w.nothing();
      h.advanceSeconds(0.1);

      assertThat(w.ambient()).isEqualTo(Status.OK);
      assertThat(h.transport().streams()).hasSize(1);
    }
  }

  @Test
  @DisplayName("a channel that fails while the silence is being timed is not declared well by it")
  void channelFailureDuringTheSilenceIsNotClearedByIt() {
    try (ClientHarness h = ClientHarness.sotw()) {
      ClientHarness.Watched w = cached(h);
      h.closeStream(GONE);
      h.advanceSeconds(11);
      h.transport().transientFailure(GONE);
      h.settle();
      assertThat(w.ambient().isOk()).isFalse();

      h.advanceSeconds(15);
      w.nothing();

      h.transport().connected();
      h.settle();
      h.advanceSeconds(15);
      assertThat(w.ambient()).isEqualTo(Status.OK);
    }
  }

  @Test
  @DisplayName("a stream that ends in silence before 15 s have passed clears nothing")
  void silentStreamThatEndsEarlyClearsNothing() {
    try (ClientHarness h = ClientHarness.sotw()) {
      ClientHarness.Watched w = cached(h);
      h.closeStream(GONE);
      h.advanceSeconds(1);
      h.closeStream(GONE);
      assertThat(w.ambient().isOk()).isFalse();
      h.advanceSeconds(1);

      for (double delay : new double[] {1.6, 2.56, 4.096}) {
        h.advanceSeconds(14.9);
        h.closeStream(GONE);
        h.advanceSeconds(delay);
        assertThat(h.transport().hasOpenStream()).isTrue();
      }

      w.nothing();
      assertThat(h.observer.connected(SERVER)).isFalse();
    }
  }

  @Test
  @DisplayName("silence is no reason to let go of the server that was asked instead")
  void silenceDoesNotEndAFallback() {
    try (ClientHarness h =
        new ClientHarness(
            ClientHarness.config(AdsProtocol.SOTW)
                .servers(ServerConfig.insecure("primary:1"), ServerConfig.insecure("fallback:2"))
                .build())) {
      ClientHarness.Watched w = h.watch(LDS, "foo");
      h.closeStream(h.stream("primary:1"), GONE);
      h.respond(h.stream("fallback:2"), response(LDS).resource("foo", "two"));
      assertThat(w.resource()).isEqualTo("two");

      h.advanceSeconds(60);

      assertThat(h.transport("primary:1").hasOpenStream()).isTrue();
      assertThat(h.observer.connected("primary:1")).isFalse();
      assertThat(h.transport("fallback:2").hasOpenStream()).isTrue();
      w.nothing();
      h.respond(h.stream("primary:1"), response(LDS).resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      assertThat(h.transport("fallback:2").isClosed()).isTrue();
    }
  }

  @Test
  @DisplayName("silence clears the error of one authority though another has fallen back")
  void silenceClearsOneAuthorityWhileAnotherStaysWithItsFallback() {
    ServerConfig shared = ServerConfig.insecure("primary:1");
    try (ClientHarness h =
        new ClientHarness(
            ClientHarness.config(AdsProtocol.SOTW)
                .servers(shared)
                .authorities(
                    Map.of(
                        "other", AuthorityConfig.of(shared, ServerConfig.insecure("fallback:2"))))
                .build())) {
      ClientHarness.Watched steady = h.watch(LDS, "foo");
      h.respond(h.stream("primary:1"), response(LDS).resource("foo", "one"));
      assertThat(steady.resource()).isEqualTo("one");
      ClientHarness.Watched moved = h.watch(LDS, "xdstp://other/" + LDS.typeName() + "/bar");
      h.closeStream(h.stream("primary:1"), GONE);
      h.advanceSeconds(1);
      h.closeStream(h.stream("primary:1"), GONE);
      assertThat(steady.ambient().isOk()).isFalse();
      assertThat(h.stream("fallback:2").subscribed(LDS)).hasSize(1);
      h.advanceSeconds(1);

      h.advanceSeconds(15);

      assertThat(steady.ambient()).isEqualTo(Status.OK);
      assertThat(h.transport("fallback:2").hasOpenStream()).isTrue();
      assertThat(moved.error().getDescription()).contains("fallback:2 did not send it");
    }
  }

  private static ClientHarness.Watched cached(ClientHarness h) {
    ClientHarness.Watched w = h.watch(LDS, "foo");
    h.respond(response(LDS).resource("foo", "one"));
    assertThat(w.resource()).isEqualTo("one");
    return w;
  }
}
