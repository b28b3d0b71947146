// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.SystemTime;
import dev.holdfast.server.SampleReports;
import dev.holdfast.server.http.HttpLimits;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever callers do, others are answered. */
class HostileCallersTest {
  private static final int WORKERS = 2;

  private final RunningAdmin admin;

  HostileCallersTest() throws Exception {
    admin =
        new RunningAdmin(
            "",
            new AdminSettings(
                SystemTime.instance(),
                WORKERS,
                8,
                Duration.ofSeconds(1),
                Duration.ofSeconds(5),
                AdminSettings.defaults().events(),
                HttpLimits.defaults().within(Duration.ofSeconds(1))));
  }

  @AfterEach
  void othersAreStillAnswered() throws Exception {
    assertThat(admin.get("/healthz").body()).isEqualTo("ok\n");
    admin.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\r\n\r\n",
        "GET\r\n\r\n",
        "GET /healthz\r\n\r\n",
        "\u0000\u0001\u0002\u0003",
        "GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /api/v1/objects/a/b/%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET http://[ HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "GET /healthz HTTP/9.9\r\nHost: localhost\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        ": : :\r\n\r\n",
      })
  void whatIsNoRequestHarmsNobody(String bytes) throws Exception {
    assertThat(exchange(bytes)).doesNotContain("at dev.holdfast", "at java.base");
  }

  @Test
  void noiseHarmsNobody() throws Exception {
    Random random = new Random(4711);
    for (int i = 0; i < 50; i++) {
      byte[] noise = new byte[random.nextInt(2000)];
      random.nextBytes(noise);
      exchange(new String(noise, UTF_8));
    }
  }

  @Test
  void aHeaderWithoutEndIsCutOff() throws Exception {
    assertThat(exchange("GET /healthz HTTP/1.1\r\nX: " + "x".repeat(1 << 20) + "\r\n\r\n"))
        .doesNotContain("HTTP/1.1 200");
  }

  @Test
  void manyHeadersAreRefused() throws Exception {
    StringBuilder request = new StringBuilder("GET /healthz HTTP/1.1\r\nHost: localhost\r\n");
    for (int i = 0; i < 1000; i++) {
      request.append("X-").append(i).append(": y\r\n");
    }
    assertThat(exchange(request + "\r\n")).doesNotContain("HTTP/1.1 200");
  }

  @Test
  void aPathAsLongAsABookIsRefused() throws Exception {
    assertThat(exchange("GET /" + "a".repeat(1 << 20) + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        .doesNotContain("HTTP/1.1 200");
  }

  /** More callers than threads begin a request and never end it. */
  @Test
  void thoseWhoNeverFinishTheirRequestLoseTheirConnection() throws Exception {
    List<Socket> slow = new ArrayList<>();
    for (int i = 0; i < 3 * WORKERS; i++) {
      Socket socket = admin.connect();
      socket.getOutputStream().write("GET /healthz HTTP/1.1\r\nHost: loc".getBytes(UTF_8));
      slow.add(socket);
    }
    for (Socket socket : slow) {
      assertThat(readAll(socket)).doesNotContain("200");
      socket.close();
    }
  }

  /** More callers than threads ask for something large and never read it. */
  @Test
  void thoseWhoNeverReadTheirAnswerLoseTheirConnection() throws Exception {
    admin.reports.objects = Collections.nCopies(20_000, SampleReports.shop());
    List<Socket> slow = new ArrayList<>();
    for (int i = 0; i < 2 * WORKERS; i++) {
      Socket socket = admin.connect();
      socket
          .getOutputStream()
          .write("GET /api/v1/objects HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(UTF_8));
      slow.add(socket);
    }

    assertThat(admin.get("/healthz").body()).isEqualTo("ok\n");
    awaitConnections(1); // ours
    for (Socket socket : slow) {
      assertThat(readAll(socket)).doesNotEndWith("]}");
      socket.close();
    }
  }

  /** Callers fill the port and stay; who comes then takes the place of one of them. */
  @Test
  void whoeverWaitsLongestMakesRoom() throws Exception {
    HttpLimits limits = HttpLimits.defaults();
    try (RunningAdmin patient = new RunningAdmin("", AdminSettings.defaults())) {
      List<Socket> idle = new ArrayList<>();
      for (int i = 0; i < limits.connections() + 50; i++) {
        Socket socket = patient.connect();
        if (i % 2 == 0) {
          socket.getOutputStream().write("POST /healthz HTTP/1.1\r\nHost".getBytes(UTF_8));
        }
        idle.add(socket);
      }
      assertThat(patient.get("/healthz").body()).isEqualTo("ok\n");
      assertThat(patient.get("/readyz").statusCode()).isEqualTo(200);
      assertThat(patient.get("/metrics").body())
          .contains("holdfast_admin_connections " + limits.connections() + "\n");
      assertThat(idle.get(0).getInputStream().read()).as("the first one was ended").isEqualTo(-1);
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }

  @Test
  void aBodyThatNeverEndsIsRefused() throws Exception {
    assertThat(
            exchange(
                "POST /api/v1/deletions/confirm HTTP/1.1\r\nHost: localhost\r\n"
                    + "Content-Length: 10000000\r\n\r\n"
                    + "x".repeat(1 << 20)))
        .doesNotContain("HTTP/1.1 200");
  }

  @Test
  void aSecondRequestBeforeTheAnswerGetsNone() throws Exception {
    String request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    assertThat(exchange(request + request)).containsOnlyOnce("HTTP/1.1 200");
  }

  /** All threads for answers wait for the control plane, which does not answer. */
  @Test
  void healthDoesNotWaitForTheControlPlane() throws Exception {
    try (RunningAdmin stuck = new RunningAdmin("", AdminSettings.defaults())) {
      stuck.reports.silent = true;
      List<Socket> waiting = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        Socket socket = stuck.connect();
        socket
            .getOutputStream()
            .write("GET /api/v1/objects HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(UTF_8));
        waiting.add(socket);
      }
      assertThat(stuck.get("/healthz").body()).isEqualTo("ok\n");
      assertThat(stuck.get("/readyz").statusCode()).isEqualTo(200);
      for (Socket socket : waiting) {
        socket.close();
      }
    }
  }

  private void awaitConnections(int count) throws Exception {
    while (!admin.get("/metrics").body().contains("holdfast_admin_connections " + count + "\n")) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aFloodOfCallersOverflowsAndDrains() throws Exception {
    List<Socket> flood = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Socket socket = admin.connect();
      try {
        socket.getOutputStream().write('G');
      } catch (SocketException e) {
        // already refused
      }
      flood.add(socket);
    }
    for (Socket socket : flood) {
      readAll(socket); // ends, since the server ends it
      socket.close();
    }
  }

  private String exchange(String bytes) throws IOException {
    try (Socket socket = admin.connect()) {
      OutputStream out = socket.getOutputStream();
      try {
        out.write(bytes.getBytes(UTF_8));
        socket.shutdownOutput();
      } catch (SocketException e) {
        // It may close the connection before it has heard everything.
      }
      return readAll(socket);
    }
  }

  private static String readAll(Socket socket) throws IOException {
    try {
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    } catch (SocketException e) {
      return "";
    }
  }
}
