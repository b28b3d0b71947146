// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.report.DeletionsReport;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Deletions that wait for a confirmation. */
@SuppressWarnings("NullAway.Init") // set by start()
class DeletionsTest {
  private static final String CONFIRM = "/api/v1/deletions/confirm";
  private static final String WAITING =
      "{\"set\":\"abc\",\"hosts\":[\"web.example.com\"],\"items\":[{\"kind\":\"HTTPProxy\","
          + "\"namespace\":\"shop\",\"name\":\"web\",\"generation\":3,"
          + "\"location\":\"web.yaml:1:1\",\"since\":\"2026-01-02T03:04:05.000Z\"}]}";

  private RunningAdmin admin;

  @BeforeEach
  void start() throws Exception {
    admin = new RunningAdmin();
    admin.reports.deletions =
        new DeletionsReport(
            "abc",
            List.of("web.example.com"),
            List.of(
                new DeletionsReport.Deletion(
                    new ObjectKey("HTTPProxy", "shop", "web"),
                    3,
                    "web.yaml:1:1",
                    Instant.parse("2026-01-02T03:04:05Z"))));
  }

  @AfterEach
  void stop() {
    admin.close();
  }

  private HttpResponse<String> confirm(String query) throws Exception {
    return admin.send("POST", CONFIRM + query, "Content-Type", "application/json");
  }

  @Test
  void theyAreListedAndCounted() throws Exception {
    assertThat(admin.get("/api/v1/deletions").body()).isEqualTo(WAITING);
    assertThat(admin.get("/api/v1/summary").body()).contains("\"deletionsWaiting\":1");
    assertThat(admin.get("/metrics").body()).contains("\nholdfast_deletions_waiting 1\n");
  }

  @Test
  void theyAreConfirmedOnce() throws Exception {
    HttpResponse<String> response = confirm("?set=abc");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo(WAITING);
    assertThat(confirm("").statusCode()).isEqualTo(409);
    assertThat(admin.get("/api/v1/deletions").body())
        .isEqualTo("{\"set\":\"\",\"hosts\":[],\"items\":[]}");
  }

  @Test
  void othersThanThoseThatTheCallerHasSeenAreNotConfirmed() throws Exception {
    HttpResponse<String> response = confirm("?set=xyz");

    assertThat(response.statusCode()).isEqualTo(409);
    assertThat(response.body()).contains("CONFLICT", "deletions:");
    assertThat(admin.reports.deletions.items()).hasSize(1);
  }

  @Test
  void whatAFormCouldSendIsRefused() throws Exception {
    assertThat(admin.send("POST", CONFIRM, "Content-Type", "text/plain").statusCode())
        .isEqualTo(415);
    assertThat(admin.send("GET", CONFIRM).statusCode()).isEqualTo(405);
    assertThat(confirm("?sets=abc").statusCode()).isEqualTo(400);
    assertThat(admin.reports.deletions.items()).hasSize(1);
  }
}
