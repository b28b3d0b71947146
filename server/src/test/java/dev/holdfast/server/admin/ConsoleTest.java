// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the console's files are given out. */
class ConsoleTest {
  private static final String TOKEN = "0123456789abcdef";

  @ParameterizedTest
  @ValueSource(strings = {"/", "/console"})
  void whoeverLooksForTheConsoleIsSentThere(String path) throws Exception {
    try (RunningAdmin admin = new RunningAdmin()) {
      HttpResponse<String> response = admin.get(path);

      assertThat(response.statusCode()).isEqualTo(302);
      assertThat(response.headers().firstValue("Location")).contains("console/");
    }
  }

  @Test
  void thePageLetsNothingInButItsOwnFiles() throws Exception {
    try (RunningAdmin admin = new RunningAdmin()) {
      HttpResponse<String> response = admin.get("/console/");

      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.headers().allValues("Content-Security-Policy"))
          .singleElement()
          .asString()
          .startsWith("default-src 'none'; script-src 'self'; style-src 'self';")
          .contains("connect-src 'self'", "frame-ancestors 'none'", "form-action 'none'")
          .doesNotContain("unsafe", "*");
      assertThat(response.headers().map())
          .containsEntry("x-content-type-options", List.of("nosniff"))
          .containsEntry("referrer-policy", List.of("no-referrer"))
          .containsEntry("cross-origin-opener-policy", List.of("same-origin"))
          .containsEntry("cache-control", List.of("no-cache"));
    }
  }

  @Test
  void aFileThatTheBrowserHasIsNotSentAgain() throws Exception {
    try (RunningAdmin admin = new RunningAdmin()) {
      String tag = admin.get("/console/app.js").headers().firstValue("ETag").orElseThrow();

      for (String known : new String[] {tag, "\"other\", W/" + tag, "*"}) {
        HttpResponse<String> again = admin.get("/console/app.js", "If-None-Match", known);
        assertThat(again.statusCode()).as(known).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(again.headers().firstValue("ETag")).contains(tag);
      }
      assertThat(admin.get("/console/app.js", "If-None-Match", "\"other\"").statusCode())
          .isEqualTo(200);
      // The connection is still good for the next request.
      assertThat(admin.send("HEAD", "/console/app.js", "If-None-Match", tag).statusCode())
          .isEqualTo(304);
      assertThat(admin.get("/healthz").body()).isEqualTo("ok\n");
    }
  }

  @Test
  void filesNeedNoTokenAndWhatTheyAskForDoes() throws Exception {
    try (RunningAdmin admin = new RunningAdmin(TOKEN, AdminSettings.defaults())) {
      assertThat(admin.get("/").statusCode()).isEqualTo(302);
      assertThat(admin.get("/console/").statusCode()).isEqualTo(200);
      assertThat(admin.get("/console/views/objects.js").statusCode()).isEqualTo(200);
      assertThat(admin.get("/api/v1/summary").statusCode()).isEqualTo(401);
      assertThat(admin.get("/console/../api/v1/summary").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void aPageFromElsewhereDoesNotGetThemUnderItsOwnName() throws Exception {
    try (RunningAdmin admin = new RunningAdmin()) {
      assertThat(admin.raw("GET /console/ HTTP/1.1\r\nHost: evil.example\r\n\r\n"))
          .startsWith("HTTP/1.1 403");
    }
  }

  @Test
  void theyCanOnlyBeRead() throws Exception {
    try (RunningAdmin admin = new RunningAdmin()) {
      assertThat(admin.send("POST", "/console/").statusCode()).isEqualTo(405);
      HttpResponse<String> head = admin.send("HEAD", "/console/");
      assertThat(head.statusCode()).isEqualTo(200);
      assertThat(head.headers().firstValue("Content-Length"))
          .isEqualTo(admin.get("/console/").headers().firstValue("Content-Length"));
      assertThat(admin.get("/console/nothing.js").body()).contains("NOT_FOUND");
    }
  }
}
