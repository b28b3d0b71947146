// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Answer;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.Http;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the annotations of a Service limit. */
class ServiceSettingsTest {
  private static final Backend ONE = Backend.start("one");
  private static Rig rig;

  @BeforeAll
  static void start() {
    rig =
        Rig.start(
            "delta",
            "base.yaml",
            Docs.of(
                Yaml.service(
                    "narrow",
                    """
                        projectcontour.io/max-connections: "1"
                        projectcontour.io/max-pending-requests: "1"
                    """,
                    ONE.port()),
                Yaml.service(
                    "limited",
                    """
                        projectcontour.io/max-connections: "11"
                        projectcontour.io/max-pending-requests: "12"
                        projectcontour.io/max-requests: "13"
                        projectcontour.io/max-retries: "14"
                        projectcontour.io/per-host-max-connections: "15"
                    """,
                    ONE.port()),
                Yaml.root(
                    "narrow", "narrow.example", "routes: [{services: [{name: narrow, port: 80}]}]"),
                Yaml.root(
                    "limited",
                    "limited.example",
                    "routes: [{services: [{name: limited, port: 80}]}]")));
    rig.plane().awaitProgrammed("HTTPProxy/default/narrow", 1);
    rig.plane().awaitProgrammed("HTTPProxy/default/limited", 1);
  }

  @AfterAll
  static void stop() {
    rig.close();
    ONE.close();
  }

  @Test
  void limitsReachTheCluster() {
    assertThat(rig.cluster("default/limited/80").get("circuit_breakers"))
        .hasToString(
            "{\"thresholds\":[{\"max_connections\":11,\"max_pending_requests\":12,"
                + "\"max_requests\":13,\"max_retries\":14}],"
                + "\"per_host_thresholds\":[{\"max_connections\":15}]}");
  }

  @Test
  void whatIsTooMuchIsTurnedAway() {
    ONE.answer(Answer.OK.after(Duration.ofSeconds(2))); // so that all four are sent meanwhile
    Http http = rig.http();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<CompletableFuture<Http.Response>> sent =
          IntStream.range(0, 4)
              .mapToObj(
                  i ->
                      CompletableFuture.supplyAsync(
                          () -> http.get("/").host("narrow.example").send(), threads))
              .toList();
      List<Http.Response> responses = sent.stream().map(CompletableFuture::join).toList();
      assertThat(responses)
          .filteredOn(response -> response.status() == 503)
          .isNotEmpty()
          .allSatisfy(
              response -> assertThat(response.header("x-envoy-overloaded")).isEqualTo("true"));
      assertThat(responses).anyMatch(response -> response.backend().equals("one"));
    } finally {
      threads.shutdownNow();
      ONE.answer(Answer.OK);
    }
  }

  @Test
  void anEditOfALimitIsAnEditOfTheCluster() {
    rig.write("edited.yaml", Yaml.service("edited", ONE.port()));
    rig.apply(
        "HTTPProxy/default/edited",
        Yaml.root("edited", "edited.example", "routes: [{services: [{name: edited, port: 80}]}]"));
    Rig.awaitSeen("200 one", rig.http(), "edited.example", "/");
    rig.write(
        "edited.yaml",
        Yaml.service("edited", "    projectcontour.io/max-requests: \"7\"\n", ONE.port()));
    Plane.await(
        "limited",
        () -> rig.cluster("default/edited/80").toString().contains("\"max_requests\":7"));
    assertThat(Rig.seen(rig.http(), "edited.example", "/")).isEqualTo("200 one");
    rig.plane().awaitProgrammed("HTTPProxy/default/edited", 1);
  }
}
