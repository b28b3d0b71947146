// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.SystemTime;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every refusal is JSON with the right status and one sentence. */
class ApiErrorsTest {
  private final RunningAdmin admin;

  ApiErrorsTest() throws Exception {
    admin =
        new RunningAdmin(
            "",
            new AdminSettings(
                SystemTime.instance(),
                4,
                8,
                Duration.ofSeconds(10),
                Duration.ofMillis(50),
                AdminSettings.defaults().events(),
                AdminSettings.defaults().http()));
  }

  @AfterEach
  void stop() {
    admin.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/console/x.js|404|NOT_FOUND|path: /console/x.js (expected: /console/)",
        "/api/v2/objects|404|NOT_FOUND|path: /api/v2/objects (expected: a path listed in"
            + " docs/admin-api.md)",
        "/api/v1/objects/|404|NOT_FOUND|path: not an object (expected: KIND/NAMESPACE/NAME)",
        "/api/v1/objects/A/b|404|NOT_FOUND|path: not an object (expected: KIND/NAMESPACE/NAME)",
        "/api/v1/objects/A/b/c/d|404|NOT_FOUND|path: not an object (expected: KIND/NAMESPACE/NAME)",
        "/api/v1/objects/A/b/c|404|NOT_FOUND|object: A/b/c: not found",
        "/api/v1/objects/A/b/%FF|400|BAD_REQUEST|percent-encoding: not UTF-8 in '%FF'",
        "/api/v1/objects?kind=a&kind=b|400|BAD_REQUEST|parameter: kind (expected: once)",
        "/api/v1/objects?colour=red|400|BAD_REQUEST|parameter: colour (expected: one of kind,"
            + " namespace)",
        "/api/v1/proxies?a|400|BAD_REQUEST|parameter: a (expected: none)",
        "/api/v1/resources/Cluster|404|NOT_FOUND|path: not a resource (expected: TYPE/NAME with"
            + " TYPE one of Cluster, ClusterLoadAssignment, Listener, Secret,"
            + " TypedExtensionConfig, RouteConfiguration, VirtualHost)",
        "/api/v1/resources/Cluster/x|404|NOT_FOUND|resource: Cluster/x: not found",
        "/api/v1/resources?type=Pod|400|BAD_REQUEST|type: Pod (expected: one of Cluster,"
            + " ClusterLoadAssignment, Listener, Secret, TypedExtensionConfig, RouteConfiguration, VirtualHost)",
        "/api/v1/history?limit=0|400|BAD_REQUEST|limit: 0 (expected: a number from 1 to 1000)",
        "/api/v1/history?limit=x|400|BAD_REQUEST|limit: x (expected: a number from 1 to 1000)",
        "/api/v1/history?object=web|400|BAD_REQUEST|object: web (expected: KIND/NAMESPACE/NAME)",
      })
  void aRequestThatMakesNoSenseIsRefused(String path, int status, String code, String message)
      throws Exception {
    HttpResponse<String> response = admin.get(path);

    assertThat(response.body())
        .isEqualTo("{\"error\":{\"code\":\"" + code + "\",\"message\":\"" + message + "\"}}");
    assertThat(response.statusCode()).isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource({"POST", "PUT", "DELETE", "PATCH", "OPTIONS"})
  void nothingCanBeWritten(String method) throws Exception {
    HttpResponse<String> response = admin.send(method, "/api/v1/objects");

    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(response.headers().firstValue("Allow")).contains("GET, HEAD");
  }

  @ParameterizedTest
  @CsvSource({"/api/v1/objects", "/metrics", "/healthz", "/api/v1/nothing", "/api/v1/events"})
  void headGivesTheHeadersOfGetAndNoBody(String path) throws Exception {
    HttpResponse<String> head = admin.send("HEAD", path);

    assertThat(head.body()).isEmpty();
    if (path.equals("/api/v1/objects")) {
      HttpResponse<String> get = admin.get(path);
      assertThat(head.headers().firstValue("Content-Length"))
          .isEqualTo(get.headers().firstValue("Content-Length"))
          .contains("12");
    }
  }

  @Test
  void aFailureInsideIsNotShownOutside() throws Exception {
    admin.reports.failure = new IllegalStateException("secret detail");

    HttpResponse<String> response = admin.get("/api/v1/objects");

    assertThat(response.statusCode()).isEqualTo(500);
    assertThat(response.body())
        .isEqualTo(
            "{\"error\":{\"code\":\"INTERNAL\",\"message\":\"internal error (see the server's log)\"}}");
  }

  @Test
  void aControlPlaneThatDoesNotAnswerIsNotWaitedForLong() throws Exception {
    admin.reports.silent = true;

    assertThat(admin.get("/api/v1/objects").statusCode()).isEqualTo(503);
  }

  @Test
  void aServerThatStopsSaysSo() throws Exception {
    admin.reports.closed = true;

    HttpResponse<String> response = admin.get("/api/v1/summary");

    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.body()).contains("\"message\":\"the server is shutting down\"");
  }

  @Test
  void everyAnswerHasTheHeadersThatKeepBrowsersFromHarm() throws Exception {
    assertThat(admin.get("/healthz").headers().map())
        .containsEntry("x-content-type-options", java.util.List.of("nosniff"))
        .containsEntry("cache-control", java.util.List.of("no-store"))
        .containsKeys("content-security-policy", "referrer-policy", "cross-origin-resource-policy");
  }
}
