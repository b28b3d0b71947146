// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.rpc.Status;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The stream's end is played by hand: what a client does wrong must not pass as a measurement. */
final class WireTest {
  private final WireThread thread = new WireThread();
  private final Wire wire = new Wire(Protocol.SOTW, thread);
  private final Response response = new Response("1", new byte[] {42});

  @AfterEach
  void stop() {
    thread.close();
  }

  @Test
  void anExchangeEndsWithCallbacksAckAndNextRead() {
    play(
        () -> {
          wire.called();
          wire.called();
          wire.send(ack("1"));
          wire.allowRead();
        });

    assertThat(wire.exchange(response, /* callbacks= */ 2).nanos()).isPositive();
    assertThat(wire.traffic().requests()).isEqualTo(1);
  }

  @Test
  void theOrderOfEventsDoesNotMatter() {
    play(
        () -> {
          wire.allowRead();
          wire.send(ack("1"));
          wire.called();
        });

    assertThat(wire.exchange(response, /* callbacks= */ 1).nanos()).isPositive();
  }

  @Test
  void aRefusedResponseIsAFailure() {
    play(
        () ->
            wire.send(
                stream(
                    DiscoveryRequest.newBuilder()
                        .setResponseNonce("1")
                        .setErrorDetail(Status.newBuilder().setMessage("bad cluster"))
                        .build())));

    assertThatThrownBy(() -> wire.exchange(response, /* callbacks= */ 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("refused: bad cluster");
  }

  @Test
  void aCallbackTooManyIsAFailure() {
    play(
        () -> {
          wire.called();
          wire.send(ack("1"));
          wire.allowRead();
          wire.called();
        });

    assertThatThrownBy(() -> wire.exchange(response, /* callbacks= */ 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("callbacks: 2 (expected: 1)");
  }

  @Test
  void anErrorSeenByAWatcherIsAFailure() {
    play(() -> wire.calledWithError(io.grpc.Status.NOT_FOUND));

    assertThatThrownBy(() -> wire.exchange(response, /* callbacks= */ 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("NOT_FOUND");
  }

  @Test
  void aBrokenClientIsAFailure() {
    play(() -> wire.failed("broken"));

    assertThatThrownBy(() -> wire.exchange(response, /* callbacks= */ 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("broken");
    assertThatThrownBy(() -> wire.awaitSubscribed(1)).hasMessage("broken");
  }

  @Test
  void requestsAndNamesAreCounted() {
    wire.send(subscription("a"));
    wire.send(subscription("a", "b"));

    assertThat(wire.traffic().requests()).isEqualTo(2);
    assertThat(wire.traffic().names()).isEqualTo(3);
    assertThat(wire.awaitSubscribed(2)).isPositive();
  }

  /** A client that does this with each response, having asked for the first one. */
  private void play(Runnable onResponse) {
    wire.open(
        new Wire.End() {
          @Override
          public void connected() {}

          @Override
          public void receive(InputStream response) {
            onResponse.run();
          }
        });
    wire.allowRead();
  }

  private static InputStream ack(String nonce) {
    return stream(DiscoveryRequest.newBuilder().setResponseNonce(nonce).build());
  }

  private static InputStream subscription(String... names) {
    return stream(DiscoveryRequest.newBuilder().addAllResourceNames(List.of(names)).build());
  }

  private static InputStream stream(DiscoveryRequest request) {
    return new ByteArrayInputStream(request.toByteArray());
  }
}
