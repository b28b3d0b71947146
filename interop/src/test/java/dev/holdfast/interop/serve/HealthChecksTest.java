// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Answer;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.Echo;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Endpoints that are not well get no requests. */
class HealthChecksTest {
  /** An answer decides, and not how long it takes a busy machine. */
  private static final String QUICK =
      "intervalSeconds: 1, timeoutSeconds: 30, unhealthyThresholdCount: 1, healthyThresholdCount: 1";

  private static final Backend ONE = Backend.start("one");
  private static Rig rig;

  @BeforeAll
  static void start() {
    rig = Rig.start("delta");
  }

  @AfterAll
  static void stop() {
    rig.close();
    ONE.close();
  }

  private static void route(String name, String service, String check) {
    rig.apply(
        "HTTPProxy/default/" + name,
        Yaml.root(
            name,
            name + ".example",
            """
            routes:
            - services: [{name: %s, port: 80}]
              healthCheckPolicy: {%s}
            """
                .formatted(service, check)));
  }

  @Test
  void anEndpointThatFallsIllLeavesAndReturnsWhenItIsWell() {
    AtomicInteger health = new AtomicInteger(503);
    try (Backend two = Backend.start("two")) {
      two.answer(
          (Echo echo) ->
              echo.path().equals("/healthz") ? Answer.OK.status(health.get()) : Answer.OK);
      rig.put("Service/default/pair", Yaml.service("pair", ONE.port()));
      route("pair", "pair", "path: /healthz, host: check.example, " + QUICK);
      Rig.awaitSeen("200 one", rig.http(), "pair.example", "/");

      rig.put("Service/default/pair", Yaml.service("pair", ONE.port(), two.port()));
      assertThat(two.awaitRequest())
          .satisfies(
              check -> {
                assertThat(check.path()).isEqualTo("/healthz");
                assertThat(check.host()).isEqualTo("check.example");
              });
      assertThat(allGoToOne()).isTrue();

      health.set(200);
      Rig.awaitSeen("200 two", rig.http(), "pair.example", "/");

      health.set(500);
      Plane.await("two is left out", HealthChecksTest::allGoToOne);
    }
  }

  /** With two in turn, some of twenty would go to the other. */
  private static boolean allGoToOne() {
    return IntStream.range(0, 20)
        .allMatch(i -> Rig.seen(rig.http(), "pair.example", "/").equals("200 one"));
  }

  @Test
  void theDefaultsAreContours() {
    rig.put("Service/default/defaults", Yaml.service("defaults", ONE.port()));
    route("defaults", "defaults", "path: /");
    assertThat(rig.cluster("default/defaults/80/defaults").getAsJsonArray("health_checks").get(0))
        .hasToString(
            "{\"timeout\":\"2s\",\"interval\":\"10s\",\"unhealthy_threshold\":3,"
                + "\"healthy_threshold\":2,\"http_health_check\":"
                + "{\"host\":\"contour-envoy-healthcheck\",\"path\":\"/\"}}");
  }

  @Test
  void otherStatusesCanMeanHealth() {
    try (Backend teapot = Backend.start("teapot")) {
      teapot.answer(
          (Echo echo) -> echo.path().equals("/healthz") ? Answer.OK.status(418) : Answer.OK);
      rig.put("Service/default/pot", Yaml.service("pot", ONE.port(), teapot.port()));
      route("pot", "pot", "path: /healthz, expectedStatuses: [{start: 418, end: 419}], " + QUICK);
      for (int i = 0; i < 10; i++) {
        Rig.awaitSeen("200 teapot", rig.http(), "pot.example", "/");
      }
    }
  }
}
