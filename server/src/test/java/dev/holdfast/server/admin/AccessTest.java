// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.server.FakeReports;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.server.options.StartException;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets in. */
class AccessTest {
  private static final String TOKEN = "0123456789abcdef";

  @Test
  void whoeverShowsTheTokenGetsIn() throws Exception {
    try (RunningAdmin admin = new RunningAdmin(TOKEN, AdminSettings.defaults())) {
      assertThat(admin.get("/api/v1/objects", "Authorization", "Bearer " + TOKEN).statusCode())
          .isEqualTo(200);
      assertThat(admin.get("/metrics", "Authorization", "bearer " + TOKEN).statusCode())
          .isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Bearer 0123456789abcdeF", "Bearer ", "Basic 0123456789abcdef", "Bearer"})
  void whoeverShowsSomethingElseDoesNot(String authorization) throws Exception {
    try (RunningAdmin admin = new RunningAdmin(TOKEN, AdminSettings.defaults())) {
      HttpResponse<String> response = admin.get("/api/v1/objects", "Authorization", authorization);

      assertThat(response.statusCode()).isEqualTo(401);
      assertThat(response.headers().firstValue("WWW-Authenticate"))
          .contains("Bearer realm=\"holdfast\"");
      assertThat(response.body()).doesNotContain(TOKEN);
      assertThat(admin.get("/api/v1/events").statusCode()).isEqualTo(401);
      assertThat(admin.get("/metrics").statusCode()).isEqualTo(401);
    }
  }

  @Test
  void probesNeedNoToken() throws Exception {
    try (RunningAdmin admin = new RunningAdmin(TOKEN, AdminSettings.defaults())) {
      assertThat(admin.get("/healthz").statusCode()).isEqualTo(200);
      assertThat(admin.get("/readyz").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void otherMachinesAreLetInOnlyWithAToken() {
    assertThatThrownBy(
            () ->
                AdminServer.start(
                    new ServeOptions.Admin(new ListenAddress("0.0.0.0", 0), ""),
                    new FakeReports(),
                    query -> List.of(),
                    "1"))
        .isInstanceOf(StartException.class)
        .hasMessage(
            "admin: 0.0.0.0:0 is reachable from other machines (expected: a loopback address, a"
                + " token: --admin-token-file, or certificates of callers: --admin-client-ca)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost", "localhost:19000", "127.0.0.1:1", "[::1]:19000", "LOCALHOST"})
  void thisMachinesNamesAreAccepted(String host) throws Exception {
    try (RunningAdmin admin = new RunningAdmin()) {
      assertThat(admin.raw("GET /healthz HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
          .startsWith("HTTP/1.1 200");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil:19000"})
  void aPageFromElsewhereDoesNotReachUsUnderItsOwnName(String host) throws Exception {
    try (RunningAdmin admin = new RunningAdmin()) {
      assertThat(admin.raw("GET /healthz HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
          .startsWith("HTTP/1.1 403")
          .contains("HOST_NOT_ALLOWED");
    }
  }

  @Test
  void aRequestHasOneHost() throws Exception {
    try (RunningAdmin admin = new RunningAdmin()) {
      assertThat(admin.raw("GET /healthz HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 400");
      assertThat(admin.raw("GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n"))
          .startsWith("HTTP/1.1 400");
    }
  }
}
