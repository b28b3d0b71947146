// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.SystemTime;
import dev.holdfast.server.http.HttpLimits;
import dev.holdfast.server.options.StartException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a caller hears while things happen. */
class EventsTest {
  private static final int STREAMS = 2;
  private static final int REMEMBERED = 4;
  private static final int UNREAD = 16;

  private final RunningAdmin admin;

  EventsTest() throws StartException {
    admin = new RunningAdmin("", settings(Duration.ofSeconds(20)));
  }

  private static AdminSettings settings(Duration heartbeat) {
    return new AdminSettings(
        SystemTime.instance(),
        4,
        8,
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        new AdminSettings.Events(STREAMS, REMEMBERED, UNREAD, heartbeat, Duration.ofMillis(300)),
        HttpLimits.defaults());
  }

  @AfterEach
  void stop() {
    admin.close();
    assertThat(admin.reports.watchers()).isZero();
  }

  @Test
  void anEventIsToldWithIdKindAndData() throws Exception {
    try (Listener listener = new Listener(admin, "")) {
      admin.reports.happen(7, "status", "all is\nwell");

      assertThat(listener.line()).isEqualTo("id: 7");
      assertThat(listener.line()).isEqualTo("event: status");
      assertThat(listener.line())
          .isEqualTo(
              """
              data: {"id":7,"at":"1970-01-01T00:00:00.000Z","kind":"status","object":null,\
              "generation":0,"resource":"","proxy":"","message":"all is\\nwell"}""");
      assertThat(listener.line()).isEmpty();
    }
  }

  @Test
  void aStreamLivesLongerThanARequestMay() throws Exception {
    try (Listener listener = new Listener(admin, "");
        RunningAdmin other = new RunningAdmin("", settings(Duration.ofMillis(400)));
        Listener bored = new Listener(other, "")) {
      for (int i = 0; i < 3; i++) { // together longer than the limit of a request
        assertThat(bored.line()).isEqualTo(": keep-alive");
        assertThat(bored.line()).isEmpty();
      }
      admin.reports.happen(1, "status", "");
      assertThat(listener.line()).isEqualTo("id: 1");
    }
  }

  @Test
  void whoeverComesBackMissesNothing() throws Exception {
    for (int id = 1; id <= 4; id++) {
      admin.reports.happen(id, "status", "");
    }
    try (Listener listener = new Listener(admin, "Last-Event-ID: 2\r\n")) {
      assertThat(listener.nextId()).isEqualTo("id: 3");
      assertThat(listener.nextId()).isEqualTo("id: 4");
      admin.reports.happen(5, "status", "");
      assertThat(listener.nextId()).isEqualTo("id: 5");
    }
  }

  @Test
  void whoeverComesBackTooLateIsToldSo() throws Exception {
    for (int id = 1; id <= 9; id++) {
      admin.reports.happen(id, "status", "");
    }
    try (Listener listener = new Listener(admin, "Last-Event-ID: 2\r\n")) {
      assertThat(listener.line()).isEqualTo("event: gap");
      assertThat(listener.nextId()).isEqualTo("id: 6");
    }
  }

  @Test
  void whoeverComesBackToAnotherProcessIsToldSo() throws Exception {
    admin.reports.happen(1, "status", "");
    try (Listener listener = new Listener(admin, "Last-Event-ID: 1000\r\n")) {
      assertThat(listener.line()).isEqualTo("event: gap");
    }
  }

  @Test
  void onlySoManyMayListen() throws Exception {
    try (Listener one = new Listener(admin, "");
        Listener two = new Listener(admin, "")) {
      assertThat(admin.get("/api/v1/events").statusCode()).isEqualTo(503);
      assertThat(admin.get("/metrics").body()).contains("holdfast_event_streams 2\n");
      assertThat(one.socket.isConnected() && two.socket.isConnected()).isTrue();
    }
  }

  @Test
  void whenTheServerStopsListenersAreTold() throws Exception {
    try (Listener listener = new Listener(admin, "")) {
      admin.close();

      assertThat(listener.line()).isEqualTo("event: closed");
      assertThat(listener.line()).isEqualTo("data: {\"message\":\"the server is shutting down\"}");
    }
  }

  /** A listener reads nothing while more happens than its queue and all buffers hold. */
  @Test
  void whoeverDoesNotReadIsDroppedAndHarmsNobody() throws Exception {
    String large = "x".repeat(1 << 20);
    try (Listener lazy = new Listener(admin, "");
        Listener eager = new Listener(admin, "")) {
      for (int id = 1; id <= 60; id++) {
        admin.reports.happen(id, "status", large);
        assertThat(eager.nextId()).isEqualTo("id: " + id);
      }
      assertThat(lazy.rest()).doesNotContain("id: 60");
    }
  }

  /** The queue overflows in one go; then the listener reads. */
  @Test
  void theLastThingThatADroppedListenerHearsIsWhy() throws Exception {
    try (Listener listener = new Listener(admin, "")) {
      for (int id = 1; id <= 100_000; id++) {
        admin.reports.happen(id, "status", "");
      }
      assertThat(listener.rest())
          .contains(
              "event: dropped\ndata: {\"message\":\"this client read events too slowly;"
                  + " reconnect\"}\n");
    }
  }

  /** One caller of the events. */
  private static final class Listener implements AutoCloseable {
    final Socket socket;
    private final BufferedReader reader;

    /** Returns when the server is listening for it. */
    Listener(RunningAdmin admin, String headers) throws IOException {
      socket = admin.connect();
      socket
          .getOutputStream()
          .write(
              ("GET /api/v1/events HTTP/1.0\r\nHost: localhost\r\n" + headers + "\r\n")
                  .getBytes(UTF_8));
      reader = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
      String line = reader.readLine();
      assertThat(line).contains("200");
      while (!line.startsWith("retry: ")) {
        line = reader.readLine();
      }
      assertThat(reader.readLine()).isEmpty();
    }

    String line() throws IOException {
      String line = reader.readLine();
      assertThat(line).as("a line").isNotNull();
      return line;
    }

    String nextId() throws IOException {
      String line = line();
      while (!line.startsWith("id: ")) {
        line = line();
      }
      return line;
    }

    String rest() throws IOException {
      StringBuilder rest = new StringBuilder();
      try {
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
          rest.append(line).append('\n');
        }
      } catch (IOException e) {
        rest.append("(reset)\n");
      }
      return rest.toString();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
