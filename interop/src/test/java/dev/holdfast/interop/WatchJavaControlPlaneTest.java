// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.interop.peer.JavaControlPlaneMain;
import dev.holdfast.testkit.ReservedPorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code holdfast xds watch} against java-control-plane, each in a process of its own: what a
 * person sees when the server changes its mind, is killed, comes back, or stalls.
 */
@Execution(ExecutionMode.CONCURRENT)
class WatchJavaControlPlaneTest {
  private static final Path ROOT = TestSources.repositoryRoot();
  private static final String OK = "OK";

  private static LineProcess server(int port) throws IOException {
    return new LineProcess(
        ROOT,
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            JavaControlPlaneMain.class.getName(),
            Integer.toString(port)));
  }

  private static int port(LineProcess server) throws InterruptedException {
    String line = server.await("the server's port", text -> text.startsWith("port "));
    return Integer.parseInt(line.substring("port ".length()));
  }

  private static LineProcess watch(int port, boolean delta, String... more) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ROOT.resolve("holdfast").toString());
    command.addAll(List.of("xds", "watch", "--server", "127.0.0.1:" + port, "-o", "json"));
    if (delta) {
      command.add("--delta");
    }
    command.addAll(List.of(more));
    return new LineProcess(ROOT, command);
  }

  private static void set(LineProcess server, String snapshot)
      throws IOException, InterruptedException {
    server.send(snapshot);
    server.await("the snapshot to be set", line -> line.equals("set " + snapshot));
  }

  private static JsonObject event(LineProcess watch, String key, String event, String code)
      throws InterruptedException {
    return JsonParser.parseString(
            watch.await(
                event + " " + code + " of " + key,
                line -> {
                  JsonObject json = JsonParser.parseString(line).getAsJsonObject();
                  return json.has("type")
                      && key.equals(
                          json.get("type").getAsString() + "/" + json.get("name").getAsString())
                      && event.equals(json.get("event").getAsString())
                      && code.equals(json.getAsJsonObject("status").get("code").getAsString());
                }))
        .getAsJsonObject();
  }

  /** What the dump says, by resource. */
  private static Map<String, JsonObject> dump(LineProcess watch)
      throws IOException, InterruptedException {
    watch.send("dump");
    String line = watch.await("a dump", text -> text.startsWith("{\"event\":\"dump\""));
    JsonArray entries = JsonParser.parseString(line).getAsJsonObject().getAsJsonArray("entries");
    Map<String, JsonObject> byKey = new HashMap<>();
    for (JsonElement element : entries) {
      JsonObject entry = element.getAsJsonObject();
      byKey.put(entry.get("type").getAsString() + "/" + entry.get("name").getAsString(), entry);
    }
    return byKey;
  }

  private static String state(Map<String, JsonObject> dump, String key) {
    JsonObject entry = dump.get(key);
    return entry == null ? "not shown" : entry.get("cache_state").getAsString();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsServedIsKeptThroughKillAndReturn(boolean delta) throws Exception {
    // 1. Everything there is arrives.
    LineProcess server = server(ReservedPorts.next());
    int port = port(server);
    set(server, "v1 cluster a cluster b endpoint a endpoint b route r");
    try (LineProcess watch =
        watch(port, delta, "cluster/a", "cluster/b", "endpoint/a", "endpoint/b", "route/r")) {
      for (String key : List.of("cluster/a", "endpoint/a", "route/r")) {
        assertThat(first(watch, key).get("resource").getAsJsonObject().size()).isPositive();
      }

      // 2. A change arrives.
      set(server, "v2 cluster a=other cluster b endpoint a endpoint b route r");
      JsonObject changed = event(watch, "cluster/a", "resource_changed", OK);
      if (!changed.get("resource").toString().contains("\"serviceName\":\"other\"")) {
        changed = event(watch, "cluster/a", "resource_changed", OK); // after the first one
      }
      assertThat(changed.get("resource").toString()).contains("\"serviceName\":\"other\"");

      // 3. The server is killed: everybody hears it, everything stays.
      server.kill();
      JsonObject lost = event(watch, "route/r", "ambient_error", "UNAVAILABLE");
      assertThat(lost.getAsJsonObject("status").get("message").getAsString())
          .contains("RDS resource r", "127.0.0.1:" + port, "node ID:");
      assertThat(state(dump(watch), "route/r")).isEqualTo("acked");

      // 4. It comes back: what was wrong is over, also for what it does not send again.
      server = server(port);
      port(server);
      set(server, "v2 cluster a=other cluster b endpoint a endpoint b route r");
      event(watch, "route/r", "ambient_error", OK);
      assertThat(state(dump(watch), "cluster/b")).isEqualTo("acked");

      watch.send("quit");
      assertThat(watch.exitCode()).isZero();
    } finally {
      server.close();
    }
  }

  /** Over Delta: in the other variant this server says nothing of names that it does not have. */
  @Test
  void aDeletionIsAnAmbientErrorUntilTheResourceIsBack() throws Exception {
    try (LineProcess server = server(ReservedPorts.next())) {
      int port = port(server);
      set(server, "v1 cluster a cluster b");
      try (LineProcess watch = watch(port, /* delta= */ true, "cluster/a", "cluster/b")) {
        event(watch, "cluster/b", "resource_changed", OK);

        set(server, "v2 cluster a");
        event(watch, "cluster/b", "ambient_error", "NOT_FOUND");
        Map<String, JsonObject> dump = dump(watch);
        assertThat(state(dump, "cluster/a")).isEqualTo("acked");
        assertThat(state(dump, "cluster/b")).isEqualTo("does_not_exist_but_cached");

        set(server, "v3 cluster a cluster b");
        event(watch, "cluster/b", "ambient_error", OK);
        assertThat(state(dump(watch), "cluster/b")).isEqualTo("acked");
      }
    }
  }

  private static JsonObject first(LineProcess watch, String key) throws InterruptedException {
    return watch.allLines().stream()
        .map(line -> JsonParser.parseString(line).getAsJsonObject())
        .filter(
            json ->
                json.has("resource")
                    && key.equals(
                        json.get("type").getAsString() + "/" + json.get("name").getAsString()))
        .findFirst()
        .orElseGet(() -> awaited(watch, key));
  }

  private static JsonObject awaited(LineProcess watch, String key) {
    try {
      return event(watch, key, "resource_changed", OK);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aRefusedUpdateIsToldOnceHoweverOftenTheServerSendsIt() throws Exception {
    try (LineProcess server = server(ReservedPorts.next())) {
      int port = port(server);
      set(server, "v1 cluster a");
      try (LineProcess watch = watch(port, /* delta= */ false, "cluster/a")) {
        event(watch, "cluster/a", "resource_changed", OK);

        // This server answers each NACK with the same response, as fast as it can.
        set(server, "v2 bad a");
        JsonObject refused = event(watch, "cluster/a", "ambient_error", "INVALID_ARGUMENT");
        assertThat(refused.getAsJsonObject("status").get("message").getAsString())
            .contains("CDS resource a", "ORIGINAL_DST");
        assertThat(state(dump(watch), "cluster/a")).isEqualTo("nacked_but_cached");

        set(server, "v3 cluster a");
        event(watch, "cluster/a", "ambient_error", OK);
        assertThat(watch.allLines())
            .filteredOn(line -> line.contains("INVALID_ARGUMENT"))
            .hasSize(2);
      }
    }
  }

  @Test
  void withFailOnDataErrorsADeletionDropsTheResource() throws Exception {
    try (LineProcess server = server(ReservedPorts.next())) {
      int port = port(server);
      set(server, "v1 cluster a cluster b");
      try (LineProcess watch =
          watch(
              port,
              /* delta= */ true,
              "--server-feature",
              "fail_on_data_errors",
              "cluster/a",
              "cluster/b")) {
        event(watch, "cluster/b", "resource_changed", OK);

        set(server, "v2 cluster a");

        event(watch, "cluster/b", "resource_changed", "NOT_FOUND");
        assertThat(state(dump(watch), "cluster/b")).isEqualTo("does_not_exist");
      }
    }
  }

  /** To this server, the client has had version 1 all along. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatARefusedUpdateDroppedIsBackWhenTheServerGoesBack(boolean delta) throws Exception {
    try (LineProcess server = server(ReservedPorts.next())) {
      int port = port(server);
      set(server, "v1 cluster a cluster b");
      try (LineProcess watch =
          watch(port, delta, "--server-feature", "fail_on_data_errors", "cluster/a", "cluster/b")) {
        event(watch, "cluster/a", "resource_changed", OK);

        for (int i = 0; i < 3; i++) {
          set(server, "v2 bad a cluster b");
          event(watch, "cluster/a", "resource_changed", "INVALID_ARGUMENT");
          assertThat(state(dump(watch), "cluster/a")).isEqualTo("nacked");

          set(server, "v1 cluster a cluster b");
          event(watch, "cluster/a", "resource_changed", OK);
          Map<String, JsonObject> dump = dump(watch);
          assertThat(state(dump, "cluster/a")).isEqualTo("acked");
          assertThat(state(dump, "cluster/b")).isEqualTo("acked");
        }
      }
    }
  }

  /** This server forgets the subscription to endpoints together with the endpoints. */
  @ParameterizedTest
  @ValueSource(strings = {"", "fail_on_data_errors"})
  void endpointsThatWereRemovedAreSeenWhenTheyAreBack(String feature) throws Exception {
    try (LineProcess server = server(ReservedPorts.next())) {
      int port = port(server);
      set(server, "v1 endpoint a=1");
      String[] watched =
          feature.isEmpty()
              ? new String[] {"endpoint/a"}
              : new String[] {"--server-feature", feature, "endpoint/a"};
      try (LineProcess watch = watch(port, /* delta= */ true, watched)) {
        event(watch, "endpoint/a", "resource_changed", OK);

        set(server, "v2");
        event(
            watch,
            "endpoint/a",
            feature.isEmpty() ? "ambient_error" : "resource_changed",
            "NOT_FOUND");

        set(server, "v3 endpoint a=2");
        event(watch, "endpoint/a", "resource_changed", OK);
        assertThat(state(dump(watch), "endpoint/a")).isEqualTo("acked");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aServerThatStallsIsNotAServerThatDeletes(boolean delta) throws Exception {
    try (LineProcess server = server(ReservedPorts.next())) {
      int port = port(server);
      set(server, "v1 cluster a");
      try (LineProcess watch = watch(port, delta, "cluster/a")) {
        event(watch, "cluster/a", "resource_changed", OK);

        server.signal("STOP");
        watch.send("watch cluster late");

        JsonObject timedOut = event(watch, "cluster/late", "resource_changed", "NOT_FOUND");
        assertThat(timedOut.getAsJsonObject("status").get("message").getAsString())
            .contains("within 15 s");
        assertThat(state(dump(watch), "cluster/a")).isEqualTo("acked");
        assertThat(watch.allLines()).noneMatch(line -> line.contains("ambient_error"));

        server.signal("CONT");
        set(server, "v2 cluster a cluster late");
        event(watch, "cluster/late", "resource_changed", OK);
        assertThat(state(dump(watch), "cluster/late")).isEqualTo("acked");
      }
    }
  }
}
