// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A control plane with little memory, many objects and many proxies, and one hostile client: edits
 * go on, no honest stream ends, and no request through an Envoy fails. Each flood lasts a few
 * seconds; {@code -Dholdfast.floods.seconds=60} makes it a minute, and then edits must not take
 * more than three times as long as without a flood.
 */
class FloodsTest {
  private static final int HOSTS = 1_000;
  private static final int SERVICES = 2_000;
  private static final int STREAMS = 200;
  private static final Duration EACH =
      Duration.ofSeconds(Integer.getInteger("holdfast.floods.seconds", 4));

  /** How long edits are measured without a flood, before each of them and again after it. */
  private static final Duration QUIET = Duration.ofSeconds(Math.min(10, EACH.toSeconds()));

  /** A flood that lasts so long also judges how long edits take. */
  private static final int LONG_SECONDS = 30;

  /** The flood itself runs on the same cores as the server, which has to wait for them. */
  private static final double SHARED_CORES_MILLIS = 50;

  @TempDir static Path directory;

  private static Backend backend;
  private static PlaneProcess plane;
  private static HonestFleet fleet;
  private static EnvoyProcess envoy;
  private static Requests requests;
  private static int edits;

  @BeforeAll
  static void start() throws Exception {
    backend = Backend.start("0");
    plane = new PlaneProcess(directory);
    StringBuilder services = new StringBuilder();
    for (int i = 0; i < SERVICES; i++) {
      services.append("---\n").append(Yaml.service("s" + i, backend.port()));
    }
    plane.write("services.yaml", services.toString());
    StringBuilder hosts = new StringBuilder();
    for (int i = 0; i < HOSTS; i++) {
      hosts.append("---\n").append(host("h" + i, "s" + i, 10));
    }
    plane.write("hosts.yaml", hosts.toString());
    plane.write("edited.yaml", host("edited", "s0", 10));
    plane.up(List.of("-Xmx256m", "-XX:+ExitOnOutOfMemoryError"));
    envoy = EnvoyProcess.start(EnvoyBootstrap.delta(plane.xdsPort()));
    fleet = new HonestFleet(plane.xdsPort(), STREAMS);
    awaitProgrammed(1);
    requests = new Requests(envoy.http("ingress_http"));
    edit();
  }

  @AfterAll
  static void stop() throws Exception {
    requests.close();
    fleet.close();
    envoy.close();
    plane.close();
    backend.close();
  }

  private static String host(String name, String service, int timeout) {
    return Yaml.root(
        name,
        name + ".example.com",
        "routes: [{services: [{name: "
            + service
            + ", port: 80}], timeoutPolicy: {response: "
            + timeout
            + "s}}]");
  }

  /** All kinds of floods, or those of {@code -Dholdfast.floods.kinds=A,B}. */
  static Stream<Flood.Kind> kinds() {
    String wanted = System.getProperty("holdfast.floods.kinds", "");
    return wanted.isEmpty()
        ? Stream.of(Flood.Kind.values())
        : Stream.of(wanted.split(",", -1)).map(Flood.Kind::valueOf);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void editsGoOnAndNobodyElseNotices(Flood.Kind kind) throws Exception {
    List<Double> around = editFor(QUIET); // others may use the machine, too
    List<Double> during;
    String what;
    try (Flood flood = new Flood(kind, plane.xdsPort())) {
      during = editFor(EACH);
      what = flood.toString();
    }
    around.addAll(editFor(QUIET));
    double quiet = median(around);
    double median = median(during);
    System.out.printf(
        "floods: %s: quiet %.0f ms; %d edits, median %.0f ms, longest %.0f ms; %s; refused %.0f;"
            + " heap %.0f MiB%n",
        kind,
        quiet,
        during.size(),
        median,
        Collections.max(during),
        what,
        plane.metric("holdfast_refused_total"),
        plane.metric("jvm_memory_used_bytes") / (1 << 20));

    assertThat(fleet.ended()).as("honest streams that the server ended").isEmpty();
    assertThat(requests.failures()).isEmpty();
    assertThat(requests.count()).isPositive();
    if (EACH.toSeconds() >= LONG_SECONDS) { // a few edits on a busy machine say nothing
      assertThat(median).isLessThan(3 * quiet + SHARED_CORES_MILLIS);
    }
    assertThat(plane.metric("holdfast_internal_errors_total")).isZero();
  }

  @Test
  void aServerThatWasFloodedStartsAgain(@TempDir Path own) throws Exception {
    List<String> little = List.of("-Xmx256m", "-XX:+ExitOnOutOfMemoryError");
    try (PlaneProcess other = new PlaneProcess(own)) {
      other.write("a.yaml", Yaml.service("s0", backend.port()) + "---\n" + host("a", "s0", 10));
      other.up(little);
      for (Flood.Kind kind : List.of(Flood.Kind.HUGE_NODE_IDS, Flood.Kind.OPENED_AND_CLOSED)) {
        try (Flood flood = new Flood(kind, other.xdsPort())) {
          Thread.sleep(EACH.toMillis());
          System.out.println("floods: before a restart: " + flood);
        }
      }
      other.end("KILL");
      other.up(little);
      assertThat(other.text("/readyz")).isEqualTo("ready\n");
      assertThat(other.text("/api/v1/history?limit=1000").length()).isLessThan(2 << 20);
    }
  }

  /** Edits one after the other; returns how many milliseconds each took to be programmed. */
  private static List<Double> editFor(Duration time) throws Exception {
    List<Double> all = new ArrayList<>();
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - end < 0 || all.size() < 3) {
      all.add(edit());
    }
    return all;
  }

  private static double edit() throws Exception {
    edits++;
    long start = System.nanoTime();
    plane.write("edited.yaml", host("edited", "s" + edits % SERVICES, 10));
    awaitProgrammed(edits + 1);
    return (System.nanoTime() - start) / 1e6;
  }

  private static void awaitProgrammed(long generation) throws Exception {
    long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    String last = "";
    while (System.nanoTime() - end < 0) {
      last = plane.text("/api/v1/objects/HTTPProxy/default/edited");
      JsonObject object = com.google.gson.JsonParser.parseString(last).getAsJsonObject();
      if (object.has("conditions")) {
        JsonObject programmed = PlaneProcess.condition(object, "Programmed");
        if (programmed.has("status")
            && programmed.get("status").getAsString().equals("True")
            && programmed.get("observedGeneration").getAsLong() == generation) {
          return;
        }
      }
      Thread.sleep(5);
    }
    throw new AssertionError("generation " + generation + " is not programmed: " + last);
  }

  private static double median(List<Double> all) {
    List<Double> sorted = new ArrayList<>(all);
    Collections.sort(sorted);
    return sorted.get(sorted.size() / 2);
  }

  /** Requests through the Envoy, one after the other, from start to end. */
  private static final class Requests implements AutoCloseable {
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong count = new AtomicLong();
    private final Thread thread;
    private volatile boolean stopped;

    Requests(Http http) {
      thread =
          new Thread(
              () -> {
                while (!stopped) {
                  try {
                    Http.Response answer = http.get("/").host("h7.example.com").send();
                    if (answer.status() != 200) {
                      failures.add(Instant.now() + " " + answer);
                    }
                    Thread.sleep(10);
                  } catch (InterruptedException e) {
                    return;
                  } catch (RuntimeException e) {
                    failures.add(e.toString());
                  }
                  count.incrementAndGet();
                }
              },
              "requests");
      thread.setDaemon(true);
      thread.start();
    }

    List<String> failures() {
      return List.copyOf(failures);
    }

    long count() {
      return count.get();
    }

    @Override
    public void close() {
      stopped = true;
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
