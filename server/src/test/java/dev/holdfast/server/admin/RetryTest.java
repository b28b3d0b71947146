// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.SampleReports;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Asking that an object be tried again, which is the one thing that can be asked for. */
@SuppressWarnings("NullAway.Init") // set by start()
class RetryTest {
  private static final String PATH = "/api/v1/objects/HTTPProxy/shop/web/retry";
  private static final String TOKEN = "0123456789abcdef";

  private RunningAdmin admin;

  @BeforeEach
  void start() throws Exception {
    admin = new RunningAdmin();
    admin.reports.objects = List.of(SampleReports.shop());
    admin.reports.holds = List.of(SampleReports.hold());
  }

  @AfterEach
  void stop() {
    admin.close();
  }

  private HttpResponse<String> post(String path, String... headers) throws Exception {
    return admin.send("POST", path, headers);
  }

  @Test
  void anObjectThatIsHeldIsTriedAgain() throws Exception {
    HttpResponse<String> response = post(PATH, "Content-Type", "Application/JSON; charset=utf-8");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body())
        .isEqualTo(
            "{\"kind\":\"HTTPProxy\",\"namespace\":\"shop\",\"name\":\"web\",\"generation\":3}");
    assertThat(admin.reports.retried).containsExactly(SampleReports.SHOP);
  }

  @Test
  void oneThatDoesNotExistIsNotFound() throws Exception {
    HttpResponse<String> response =
        post("/api/v1/objects/HTTPProxy/shop/nobody/retry", "Content-Type", "application/json");

    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(response.body()).contains("HTTPProxy/shop/nobody: there is none");
  }

  @Test
  void oneThatIsNotHeldIsAConflict() throws Exception {
    admin.reports.holds = List.of();

    HttpResponse<String> response = post(PATH, "Content-Type", "application/json");

    assertThat(response.statusCode()).isEqualTo(409);
    assertThat(response.body()).contains("CONFLICT", "HTTPProxy/shop/web: not held");
  }

  /** What a page from elsewhere can send through a browser without being allowed to. */
  @ParameterizedTest
  @ValueSource(
      strings = {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; a=b"})
  void whatAFormCouldSendIsRefused(String contentType) throws Exception {
    HttpResponse<String> response = post(PATH, "Content-Type", contentType);

    assertThat(response.statusCode()).isEqualTo(415);
    assertThat(response.body()).contains("UNSUPPORTED_MEDIA_TYPE", "expected: application/json");
    assertThat(post(PATH).statusCode()).isEqualTo(415);
    assertThat(admin.reports.retried).isEmpty();
  }

  /** The question that a browser asks before it sends JSON for a page from elsewhere. */
  @Test
  void noPageFromElsewhereIsAllowedTo() throws Exception {
    HttpResponse<String> response =
        admin.send(
            "OPTIONS",
            PATH,
            "Origin",
            "http://evil.example",
            "Access-Control-Request-Method",
            "POST",
            "Access-Control-Request-Headers",
            "content-type");

    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(response.headers().map().keySet())
        .noneMatch(name -> name.toLowerCase(Locale.ROOT).startsWith("access-control"));
  }

  @Test
  void lookingAtItDoesNothing() throws Exception {
    HttpResponse<String> response = admin.get(PATH);

    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(response.headers().firstValue("Allow")).contains("POST");
    assertThat(admin.reports.retried).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/v1/objects/HTTPProxy/shop/retry", "/api/v1/holds", "/retry"})
  void nothingElseCanBePosted(String path) throws Exception {
    HttpResponse<String> response = post(path, "Content-Type", "application/json");

    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(response.headers().firstValue("Allow")).contains("GET, HEAD");
  }

  @Test
  void whereThereIsATokenItHasToBeShown() throws Exception {
    try (RunningAdmin guarded = new RunningAdmin(TOKEN, AdminSettings.defaults())) {
      guarded.reports.holds = List.of(SampleReports.hold());
      assertThat(guarded.send("POST", PATH, "Content-Type", "application/json").statusCode())
          .isEqualTo(401);
      assertThat(guarded.reports.retried).isEmpty();
      assertThat(
              guarded
                  .send(
                      "POST",
                      PATH,
                      "Content-Type",
                      "application/json",
                      "Authorization",
                      "Bearer " + TOKEN)
                  .statusCode())
          .isEqualTo(200);
    }
  }
}
