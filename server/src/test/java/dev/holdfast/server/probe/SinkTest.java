// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** The sink answers whatever it is asked, and can be told from others. */
class SinkTest {
  private static InetSocketAddress at(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  @Test
  void itAnswersAnyRequest() throws Exception {
    try (Sink sink = Sink.open()) {
      ProbeClient client = new ProbeClient(sink.marker(), Duration.ofSeconds(20));
      for (String method : new String[] {"GET", "HEAD", "POST", "DELETE"}) {
        ProbeAnswer answer =
            client.ask(
                at(sink.port()),
                new ProbeRequest(
                    /* isTls= */ false,
                    "any.example.com",
                    method,
                    "/x?y=z",
                    Collections.emptySortedMap()));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.isFromSink()).isTrue();
      }
      assertThat(sink.requests()).isEqualTo(4);
    }
  }

  @Test
  void twoSinksAreToldApart() throws Exception {
    try (Sink sink = Sink.open();
        Sink other = Sink.open()) {
      ProbeAnswer answer =
          new ProbeClient(other.marker(), Duration.ofSeconds(20))
              .ask(
                  at(sink.port()),
                  new ProbeRequest(
                      /* isTls= */ false, "a", "GET", "/", Collections.emptySortedMap()));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.isFromSink()).isFalse();
    }
  }

  @Test
  void aConnectionIsUsedAgainAndNonsenseEndsIt() throws Exception {
    try (Sink sink = Sink.open();
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), sink.port())) {
      byte[] request =
          "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\n\r\nabc"
              .getBytes(StandardCharsets.US_ASCII);
      byte[] answer = new byte[4096];
      for (int i = 0; i < 3; i++) {
        socket.getOutputStream().write(request);
        int read = socket.getInputStream().read(answer);
        assertThat(new String(answer, 0, read, StandardCharsets.US_ASCII))
            .startsWith("HTTP/1.1 200");
      }
    }
    try (Sink sink = Sink.open()) {
      ProbeAnswer none =
          new ProbeClient("x", Duration.ofSeconds(20))
              .ask(
                  at(deadPort(sink)),
                  new ProbeRequest(
                      /* isTls= */ false, "a", "GET", "/", Collections.emptySortedMap()));
      assertThat(none.kind()).isEqualTo(ProbeAnswer.Kind.CLOSED);
    }
  }

  private static int deadPort(Sink sink) {
    int port = sink.port();
    sink.close();
    return port;
  }
}
