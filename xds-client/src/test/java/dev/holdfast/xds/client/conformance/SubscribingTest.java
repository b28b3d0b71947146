// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.Request;
import dev.holdfast.xds.client.fixture.TestType;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Subscribing, delivering, acknowledging: checklist section 3.1. */
class SubscribingTest {
  @Test
  @DisplayName(
      "C01 first watch creates a stream; the first request has names, no version or nonce, and the node")
  void c01FirstWatchCreatesAStream() {
    try (ClientHarness h = ClientHarness.sotw()) {
      ClientHarness.Watched w = h.watch(LDS, "foo");

      Request request = h.stream().request();
      assertThat(request.typeUrl()).isEqualTo(LDS.typeUrl());
      assertThat(request.names()).containsExactly("foo");
      assertThat(request.version()).isEmpty();
      assertThat(request.nonce()).isEmpty();
      assertThat(Objects.requireNonNull(request.node()).getId()).isEqualTo("node-1");
      assertThat(h.state(LDS, "foo")).isEqualTo("requested");
      assertThat(h.observer.resources(LDS, "requested")).isEqualTo(1);
      w.nothing();
    }
  }

  @Test
  @DisplayName("C02 a valid response is delivered once and acknowledged with its version and nonce")
  void c02ValidResponseIsDeliveredAndAcknowledged() {
    try (ClientHarness h = ClientHarness.sotw()) {
      ClientHarness.Watched w = h.watch(LDS, "foo");
      h.stream().skipRequests();

      h.respond(response(LDS).version("7").nonce("A").resource("foo", "one"));

      assertThat(w.resource()).isEqualTo("one");
      w.nothing();
      Request ack = h.stream().request();
      assertThat(ack.version()).isEqualTo("7");
      assertThat(ack.nonce()).isEqualTo("A");
      assertThat(ack.isNack()).isFalse();
      assertThat(ack.node()).isNull();
      assertThat(h.state(LDS, "foo")).isEqualTo("acked");
      CacheEntry.Cached<?> cached =
          Objects.requireNonNull(Objects.requireNonNull(h.dump(LDS, "foo")).resource());
      assertThat(cached.version()).isEqualTo("7");
      assertThat(cached.serialized()).isEqualTo(TestType.bytes("foo", "one"));
      assertThat(cached.updated()).isEqualTo(h.time.now());
    }
  }
}
