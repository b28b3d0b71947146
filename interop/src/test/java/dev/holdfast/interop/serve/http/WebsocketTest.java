// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Answer;
import dev.holdfast.interop.envoy.Http;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections that become something else. */
@ParameterizedClass
@EnumSource(Stage.Protocol.class)
@SuppressWarnings("NullAway.Init") // set by JUnit
class WebsocketTest {
  private static Stage stage;
  private static Site site;

  @Parameter Stage.Protocol protocol;

  @BeforeParameterizedClassInvocation
  static void start(Stage.Protocol protocol) {
    stage = Stage.start(protocol);
    stage
        .backend("switching")
        .answer(
            echo ->
                echo.header("upgrade").equals("websocket")
                    ? Answer.OK
                        .status(101)
                        .body("")
                        .header("Upgrade", "websocket")
                        .header("Connection", "Upgrade")
                    : Answer.OK);
    site =
        stage.routes(
            """
            - services: [{name: switching, port: 80}]
            - conditions: [{prefix: /ws}]
              enableWebsockets: true
              services: [{name: switching, port: 80}]
            """);
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    stage.close();
  }

  private static Http.Response upgrade(String path) {
    return site.get(path).header("Connection", "Upgrade").header("Upgrade", "websocket").send();
  }

  @Test
  void aRouteThatEnablesThemSwitches() {
    assertThat(upgrade("/ws").status()).isEqualTo(101);
  }

  @Test
  void otherRoutesDoNot() {
    assertThat(upgrade("/").status()).isEqualTo(403);
  }

  @Test
  void otherRequestsToTheRouteAreServedAsUsual() {
    assertThat(site.answers("/ws")).isEqualTo("switching");
  }

  /** What passes after the switch happens to be a request, for a host that Envoy does not know. */
  @Test
  void afterTheSwitchBytesPassBothWaysAsTheyAre() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), site.http().port())) {
      socket.setSoTimeout(60_000);
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      send(
          socket,
          "GET /ws HTTP/1.1\r\nHost: "
              + site.host()
              + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
      assertThat(in.readLine()).isEqualTo("HTTP/1.1 101 Switching Protocols");
      for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
        assertThat(line).doesNotContain("Transfer-Encoding");
      }

      send(socket, "GET /inside HTTP/1.1\r\nHost: inside\r\n\r\n");

      assertThat(in.readLine()).isEqualTo("HTTP/1.1 200 OK");
    }
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }
}
