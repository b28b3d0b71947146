// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Health, readiness and metrics are answered whatever other callers of the admin port do. */
class HostileAdminCallersTest {
  private static final int CALLERS = 400;

  /** Whoever has to wait until a hostile caller is given up waits for ten seconds at least. */
  private static final Duration LONGEST = Duration.ofSeconds(9);

  private final Plane plane = Plane.start("services.yaml", Yaml.service("one", 80));
  private final List<Socket> sockets = new ArrayList<>();

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    plane.close();
  }

  @Test
  void halfSentRequests() throws IOException {
    callers(i -> "GET /api/v1/objects HTTP/1.1\r\nHost: loc");

    assertAnswered();
  }

  @Test
  void bodiesThatNeverEnd() throws IOException {
    callers(
        i ->
            "POST /api/v1/deletions/confirm HTTP/1.1\r\nHost: localhost\r\nContent-Length:"
                + " 1000\r\nContent-Type: application/json\r\n\r\n{");

    assertAnswered();
  }

  @Test
  void connectionsWithoutARequest() throws IOException {
    callers(i -> "");

    assertAnswered();
  }

  @Test
  void answersThatNobodyReads() throws IOException {
    plane.write("many.yaml", many(2_000));
    Plane.await("all are read", () -> plane.items("/api/v1/objects").size() > 2_000);
    callers(i -> "GET /api/v1/objects HTTP/1.1\r\nHost: localhost\r\n\r\n");

    assertAnswered();
  }

  @Test
  void moreListenersThanThereMayBe() throws IOException {
    callers(i -> "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");

    assertAnswered();
    Plane.awaitAsserted( // what they sent is read one after the other
        () -> assertThat(plane.metric("holdfast_event_streams")).isEqualTo(32));
  }

  /** Of every sort some, and new ones all the time. */
  @Test
  void allOfItAtOnce() throws IOException {
    List<String> sorts =
        List.of(
            "G",
            "",
            "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /api/v1/objects HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "POST /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n");
    for (int round = 0; round < 3; round++) {
      callers(i -> sorts.get(i % sorts.size()));

      assertAnswered();
    }
  }

  private void assertAnswered() {
    for (int i = 0; i < 3; i++) {
      assertThat(answer("/healthz")).isEqualTo("ok\n");
      assertThat(answer("/readyz")).startsWith("ready");
      assertThat(answer("/metrics")).contains("holdfast_ready 1\n");
    }
  }

  private String answer(String path) {
    long begin = System.nanoTime();
    String answer = plane.text(path);
    Duration took = Duration.ofNanos(System.nanoTime() - begin);
    assertThat(took).as(path).isLessThan(LONGEST);
    return answer;
  }

  private void callers(IntFunction<String> said) throws IOException {
    for (int i = 0; i < CALLERS; i++) {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), plane.adminPort());
      sockets.add(socket);
      try {
        socket.getOutputStream().write(said.apply(i).getBytes(UTF_8));
      } catch (IOException e) {
        // It had to make room for another one.
      }
    }
  }

  private static String many(int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append("---\n").append(Yaml.service("s" + i, 80));
    }
    return text.toString();
  }
}
