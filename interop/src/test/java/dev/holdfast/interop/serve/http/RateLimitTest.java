// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.holdfast.interop.envoy.Http;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How many requests Envoy lets through. */
@ParameterizedClass
@EnumSource(Stage.Protocol.class)
@SuppressWarnings("NullAway.Init") // set by JUnit
class RateLimitTest {
  private static final String FILTER = "envoy.filters.http.local_ratelimit";

  private static Stage stage;

  @Parameter Stage.Protocol protocol;

  @BeforeParameterizedClassInvocation
  static void start(Stage.Protocol protocol) {
    stage = Stage.start(protocol);
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    stage.close();
  }

  private static Site onHost(String limit) {
    return stage.root(
        "rateLimitPolicy: {local: {" + limit + "}}",
        "routes: [{services: [{name: one, port: 80}]}]");
  }

  private static List<Integer> statuses(Site site, String path, int times) {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      statuses.add(site.get(path).send().status());
    }
    return statuses;
  }

  @Test
  void aHostAnswers429ToWhatIsTooMuch() {
    assertThat(statuses(onHost("requests: 2, unit: hour"), "/", 4))
        .containsExactly(200, 200, 429, 429);
  }

  @Test
  void aBurstComesOnTop() {
    assertThat(statuses(onHost("requests: 1, unit: hour, burst: 2"), "/", 4))
        .containsExactly(200, 200, 200, 429);
  }

  @Test
  void statusAndHeadersOfTheRefusalCanBeChosen() {
    Site site =
        onHost(
            "requests: 1, unit: hour, responseStatusCode: 503,"
                + " responseHeadersToAdd: [{name: x-why, value: busy}, {name: x-l, value: 100%}]");

    Http.Response passed = site.get("/").send();
    assertThat(passed.status()).isEqualTo(200);
    Http.Response refused = site.get("/").send();
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.header("x-why")).isEqualTo("busy");
    assertThat(refused.header("x-l")).isEqualTo("100%");
  }

  @Test
  void afterTheUnitThereIsMore() {
    Site site = onHost("requests: 1, unit: second");

    stage.admin().await("one too many", () -> site.get("/").send().status() == 429);
    stage.admin().await("more is let through", () -> site.get("/").send().status() == 200);
  }

  @ParameterizedTest
  @CsvSource({"second, 1s", "minute, 60s", "hour, 3600s"})
  void theUnitIsTheTimeInWhichRequestsAreCounted(String unit, String interval) {
    Site site = onHost("requests: 7, unit: " + unit + ", burst: 3");

    JsonObject bucket =
        Dump.virtualHost(stage.admin(), site.host())
            .getAsJsonObject("typed_per_filter_config")
            .getAsJsonObject(FILTER)
            .getAsJsonObject("token_bucket");
    assertThat(bucket.get("fill_interval").getAsString()).isEqualTo(interval);
    assertThat(bucket.get("tokens_per_fill").getAsInt()).isEqualTo(7);
    assertThat(bucket.get("max_tokens").getAsInt()).isEqualTo(10);
  }

  @Test
  void aRouteHasALimitOfItsOwnInPlaceOfTheHosts() {
    Site site =
        stage.root(
            "rateLimitPolicy: {local: {requests: 1, unit: hour}}",
            """
            routes:
            - services: [{name: one, port: 80}]
            - conditions: [{prefix: /own}]
              services: [{name: one, port: 80}]
              rateLimitPolicy:
                local:
                  requests: 2
                  unit: minute
                  burst: 1
                  responseStatusCode: 431
                  responseHeadersToAdd: [{name: x-why, value: route}]
            """);

    assertThat(statuses(site, "/own", 4)).containsExactly(200, 200, 200, 431);
    assertThat(site.get("/own").send().header("x-why")).isEqualTo("route");
    assertThat(statuses(site, "/", 2)).containsExactly(200, 429);
  }

  @Test
  void routesOfAHostShareItsLimit() {
    Site site =
        stage.root(
            "rateLimitPolicy: {local: {requests: 2, unit: hour}}",
            """
            routes:
            - services: [{name: one, port: 80}]
            - conditions: [{prefix: /b}]
              services: [{name: two, port: 80}]
            """);

    assertThat(statuses(site, "/a", 1)).containsExactly(200);
    assertThat(statuses(site, "/b", 1)).containsExactly(200);
    assertThat(statuses(site, "/a", 1)).containsExactly(429);
    assertThat(statuses(site, "/b", 1)).containsExactly(429);
  }
}
