// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpServer;
import dev.holdfast.interop.Leash;
import dev.holdfast.interop.LineProcess;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A collector of ours reads the trace of an edit that a real Envoy refuses, and of its cure. */
class ChangeTraceTest {
  private static final String POLICY = "ExtensionPolicy/default/greeting";

  @TempDir Path directory;
  private final BlockingQueue<JsonObject> spans = new LinkedBlockingQueue<>();

  @Test
  void aRefusedEditIsOneTrace() throws Exception {
    HttpServer collector =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/v1/traces",
        exchange -> {
          read(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
    Path objects = Files.createDirectory(directory.resolve("objects"));
    try (Backend backend = Backend.start("one")) {
      write(objects, "one.yaml", Yaml.service("one", backend.port()));
      write(
          objects,
          "shop.yaml",
          Yaml.root("shop", "shop.example", "routes: [{services: [{name: one, port: 80}]}]"));
      try (LineProcess server =
          new LineProcess(
              directory, Leash.on(command(objects, collector.getAddress().getPort())))) {
        String ready = server.await("ready", line -> line.startsWith("holdfast ready: "));
        int xds = Integer.parseInt(ready.replaceAll(".*xDS on 127.0.0.1:([0-9]+),.*", "$1"));
        try (EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.delta(xds))) {
          assertThat(envoy.http("ingress_http").get("/").host("shop.example").send().status())
              .isEqualTo(200);
          follow(objects);
        }
      }
    } finally {
      collector.stop(0);
    }
  }

  private void follow(Path objects) throws Exception {
    write(objects, "policy.yaml", policy(Lua.BROKEN));

    Map<String, List<JsonObject>> refused = trace();
    JsonObject change = one(refused, "change");
    assertThat(attribute(change, "holdfast.object")).isEqualTo(POLICY);
    assertThat(attribute(change, "holdfast.generation")).isEqualTo("1");
    assertThat(attribute(change, "holdfast.outcome")).isEqualTo("held");
    assertThat(attribute(change, "holdfast.reason")).isEqualTo("RejectedNew");
    assertThat(change.getAsJsonObject("status").get("message").getAsString())
        .contains("script load error");
    assertThat(refused).containsKeys("source", "translate", "trial", "status");
    assertThat(refused).doesNotContainKey("commit");
    assertThat(refused.get("verdict"))
        .anySatisfy(
            verdict -> {
              assertThat(attribute(verdict, "holdfast.outcome")).isEqualTo("rejected");
              assertThat(attribute(verdict, "holdfast.class")).startsWith("envoy ");
              assertThat(attribute(verdict, "holdfast.node")).isNotEmpty();
            });

    write(objects, "policy.yaml", policy(Lua.mark("mended")));

    Map<String, List<JsonObject>> mended = trace();
    assertThat(attribute(one(mended, "change"), "holdfast.generation")).isEqualTo("2");
    assertThat(attribute(one(mended, "change"), "holdfast.outcome")).isEqualTo("in force");
    assertThat(mended).containsKeys("trial", "verdict", "commit", "status");
    assertThat(mended.get("verdict"))
        .allSatisfy(
            verdict -> assertThat(attribute(verdict, "holdfast.outcome")).isEqualTo("accepted"));
  }

  /** The spans of the next trace that ends, by name; its whole comes last. */
  private Map<String, List<JsonObject>> trace() throws InterruptedException {
    Map<String, List<JsonObject>> byName = new LinkedHashMap<>();
    while (!byName.containsKey("change")) {
      JsonObject span = spans.poll(60, TimeUnit.SECONDS);
      assertThat(span).as("a span after " + byName.keySet()).isNotNull();
      if (span != null) {
        byName.computeIfAbsent(span.get("name").getAsString(), name -> new ArrayList<>()).add(span);
      }
    }
    String id = one(byName, "change").get("traceId").getAsString();
    byName
        .values()
        .forEach(
            some ->
                some.forEach(span -> assertThat(span.get("traceId").getAsString()).isEqualTo(id)));
    return byName;
  }

  private static JsonObject one(Map<String, List<JsonObject>> spans, String name) {
    assertThat(spans.get(name)).as(name).hasSize(1);
    return spans.getOrDefault(name, List.of()).get(0);
  }

  private static String attribute(JsonObject span, String name) {
    for (JsonElement element : span.getAsJsonArray("attributes")) {
      JsonObject attribute = element.getAsJsonObject();
      if (attribute.get("key").getAsString().equals(name)) {
        return attribute.getAsJsonObject("value").get("stringValue").getAsString();
      }
    }
    return "";
  }

  private void read(String body) {
    for (JsonElement resource : array(JsonParser.parseString(body), "resourceSpans")) {
      for (JsonElement scope : array(resource, "scopeSpans")) {
        for (JsonElement span : array(scope, "spans")) {
          spans.add(span.getAsJsonObject());
        }
      }
    }
  }

  private static Iterable<JsonElement> array(JsonElement parent, String name) {
    return parent.getAsJsonObject().getAsJsonArray(name);
  }

  private List<String> command(Path objects, int collector) {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" 2>&1", "sh"));
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "dev.holdfast.cli.Main",
            "serve",
            objects.toString(),
            "--trace-endpoint=http://127.0.0.1:" + collector,
            "--extension-code=lua",
            "--state=" + directory.resolve("state.db"),
            "--xds-address=127.0.0.1:0",
            "--admin-address=127.0.0.1:0",
            "--http-address=127.0.0.1:0",
            "--https-address=0.0.0.0:0"));
    return command;
  }

  private static String policy(String script) {
    return Lua.policy("greeting", "name: shop", "httpFilters: [" + Lua.filter(script) + "]");
  }

  private static void write(Path objects, String name, String text) throws Exception {
    Path temporary = Files.writeString(objects.resolve("." + name), text);
    Files.move(temporary, objects.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }
}
