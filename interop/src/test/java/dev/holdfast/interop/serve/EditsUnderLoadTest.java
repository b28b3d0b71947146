// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.envoy.Tls;
import dev.holdfast.testkit.TestCa;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files change at random while clients ask: what is there before and after a change is answered
 * throughout. {@code -Dholdfast.edits=5000 -Dholdfast.seed=7} makes more of it.
 */
class EditsUnderLoadTest {
  private static final int EDITS = Integer.getInteger("holdfast.edits", 200);
  private static final long SEED = Long.getLong("holdfast.seed", 1);
  private static final int CLIENTS = 3;
  private static final String STAMP = "HTTPProxy/default/zz-stamp";

  private static final TestCa CA = TestCa.create("holdfast test");
  private static final List<Backend> BACKENDS = new ArrayList<>();
  private static final SortedMap<String, Integer> PORTS = new TreeMap<>();

  @BeforeAll
  static void start() {
    for (String name : List.of("b0", "b1", "b2", "b3", "b4", "b5")) {
      Backend backend = Backend.start(name);
      BACKENDS.add(backend);
      PORTS.put(name, backend.port());
    }
  }

  @AfterAll
  static void stop() {
    BACKENDS.forEach(Backend::close);
  }

  @ParameterizedTest
  @ValueSource(strings = {"delta", "sotw"})
  void whatIsThereBeforeAndAfterAnEditIsAnsweredThroughout(String protocol) {
    RandomEdits edits = new RandomEdits(SEED, PORTS, CA);
    SplittableRandom random = new SplittableRandom(SEED);
    try (Plane plane = Plane.start("zz-stamp.yaml", stamp(0))) {
      edits.start().applyTo(plane);
      try (EnvoyProcess envoy =
          EnvoyProcess.start(
              protocol.equals("delta")
                  ? EnvoyBootstrap.delta(plane.xdsPort())
                  : EnvoyBootstrap.sotw(plane.xdsPort()))) {
        int stamps = 1;
        awaitSettled(plane, stamps);
        Http http = envoy.http("ingress_http");
        Http https = envoy.http("ingress_https");
        Oracle settled = edits.oracle();
        awaitAnswers(settled, http, https);
        try (Traffic traffic = new Traffic(http.port(), https.port(), CA, settled, CLIENTS, SEED)) {
          for (int done = 0; done < EDITS; ) {
            Oracle pending = settled;
            for (int batch = 1 + random.nextInt(6); batch > 0 && done < EDITS; batch--, done++) {
              Edit edit = edits.next();
              pending = pending.changingTo(edits.oracle(), edit.what());
              traffic.expect(pending);
              edit.applyTo(plane);
            }
            plane.write("zz-stamp.yaml", stamp(stamps));
            awaitSettled(plane, ++stamps);
            settled = edits.oracle();
            awaitAnswers(settled, http, https);
            traffic.expect(settled);
          }
          traffic.stop();
          assertThat(traffic.failures()).isEmpty();
          assertThat(traffic.requests()).isGreaterThan(10L * EDITS);
        }
        assertThat(envoy.admin().stat("cluster_manager.cds.update_rejected")).isZero();
        assertThat(envoy.admin().stat("listener_manager.lds.update_rejected")).isZero();
        assertThat(timesToProgram(plane)).isNotEmpty().allMatch(millis -> millis > 0);
      }
    }
  }

  /** Is written last, so that whoever has seen it has seen everything else. */
  private static String stamp(int number) {
    return Yaml.root(
        "zz-stamp",
        "stamp.example.com",
        "routes: [{directResponsePolicy: {statusCode: 200, body: \"" + number + "\"}}]");
  }

  private static void awaitSettled(Plane plane, long generation) {
    plane.awaitProgrammed(STAMP, generation);
    Awaitility.await("all objects are settled")
        .dontCatchUncaughtExceptions()
        .atMost(Duration.ofSeconds(75))
        .untilAsserted(() -> assertThat(unsettled(plane)).isEmpty());
  }

  private static List<String> unsettled(Plane plane) {
    List<String> waiting = new ArrayList<>();
    for (JsonElement element :
        plane.get("/api/v1/objects").getAsJsonObject().getAsJsonArray("items")) {
      JsonObject object = element.getAsJsonObject();
      for (JsonElement each : object.getAsJsonArray("conditions")) {
        JsonObject condition = each.getAsJsonObject();
        String reason = condition.get("reason").getAsString();
        if (condition.get("type").getAsString().equals("GrpcRoutes")) {
          continue; // no gRPC client is here
        }
        if (!Set.of("Programmed", "Valid", "NotReferenced").contains(reason)) {
          waiting.add(object.get("kind") + " " + object.get("name") + ": " + condition);
        }
      }
    }
    return waiting;
  }

  /** Envoy says yes a moment before its workers do. */
  private static void awaitAnswers(Oracle oracle, Http http, Http https) {
    oracle
        .answers()
        .forEach(
            (probe, backends) ->
                Plane.await(
                    probe + " answered by one of " + backends,
                    () -> backends.contains(answered(probe, http, https))));
  }

  /** Who answers with 200; empty if nobody does, or hangs up because it has no certificate yet. */
  private static String answered(Probe probe, Http http, Http https) {
    Http via = probe.secure() ? https.with(Tls.sni(probe.host(), CA)) : http;
    try {
      Http.Response response = via.get(probe.path()).host(probe.host()).send();
      return response.status() == 200 ? response.backend() : "";
    } catch (UncheckedIOException e) {
      return "";
    }
  }

  /** From the change of a file to the last proxy's yes, in milliseconds, newest first. */
  private static List<Double> timesToProgram(Plane plane) {
    List<Double> times = new ArrayList<>();
    for (JsonElement element :
        plane.get("/api/v1/history?limit=1000").getAsJsonObject().getAsJsonArray("items")) {
      JsonObject entry = element.getAsJsonObject();
      if (entry.get("kind").getAsString().equals("PROGRAMMED")) {
        times.add(entry.get("tookMillis").getAsDouble());
      }
    }
    return times;
  }
}
