// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.interop.Leash;
import dev.holdfast.interop.LineProcess;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an operator learns of an incident from the JSON log of a server, and from nothing else: the
 * walk-through of docs/operations.md.
 */
class IncidentLogTest {
  private static final String POLICY = "ExtensionPolicy/default/greeting";

  @TempDir Path directory;

  @Test
  void anIncidentCanBeFollowedFromTheJsonLogAlone() throws Exception {
    Path objects = Files.createDirectory(directory.resolve("objects"));
    try (Backend backend = Backend.start("one")) {
      write(objects, "one.yaml", Yaml.service("one", backend.port()));
      write(objects, "shop.yaml", host("shop"));
      write(objects, "other.yaml", host("other"));
      try (LineProcess server = new LineProcess(directory, Leash.on(command(objects)))) {
        String ready = server.await("ready", line -> line.startsWith("holdfast ready: "));
        int xds = Integer.parseInt(ready.replaceAll(".*xDS on 127.0.0.1:([0-9]+),.*", "$1"));
        try (EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.delta(xds))) {
          follow(server, objects, envoy);
        }
        JsonObject gone = await(server, "disconnected");
        assertThat(gone.get("area").getAsString()).isEqualTo("proxies");
      }
    }
  }

  private static void follow(LineProcess server, Path objects, EnvoyProcess envoy)
      throws Exception {
    JsonObject connected = await(server, "connected");
    String node = connected.get("node").getAsString();
    assertThat(await(server, "accepted").get("level").getAsString()).isEqualTo("info");
    Http http = Http.on(envoy.http("ingress_http").port());
    assertThat(http.get("/").host("shop.example").send().status()).isEqualTo(200);

    write(objects, "policy.yaml", policy(Lua.BROKEN));

    JsonObject rejected = await(server, "rejected");
    assertThat(rejected.get("node").getAsString()).isEqualTo(node);
    JsonObject started = await(server, "incident-started");
    long incident = started.get("incident").getAsLong();
    assertThat(started.get("message").getAsString()).contains("script load error");
    JsonObject held = await(server, "held");
    assertThat(held.get("object").getAsString()).isEqualTo(POLICY);
    assertThat(held.get("generation").getAsLong()).isEqualTo(1);
    assertThat(held.get("servedGeneration").getAsLong()).isZero();
    assertThat(held.get("level").getAsString()).isEqualTo("warn");
    JsonObject ended = await(server, "incident-ended");
    assertThat(ended.get("incident").getAsLong()).isEqualTo(incident);
    assertThat(ended.get("offenders").getAsString()).isEqualTo(POLICY);
    assertThat(http.get("/").host("shop.example").send().status()).isEqualTo(200);

    write(objects, "policy.yaml", policy(Lua.mark("mended")));

    JsonObject released = await(server, "released");
    assertThat(released.get("object").getAsString()).isEqualTo(POLICY);
    JsonObject accepted = await(server, "accepted");
    assertThat(accepted.get("object").getAsString()).isEqualTo(POLICY);
    assertThat(accepted.get("generation").getAsLong()).isEqualTo(2);

    // An edit that no proxy has to see is told with its place.
    write(objects, "other.yaml", host("other").replace("services:", "servces:"));
    assertThat(await(server, "held").get("message").getAsString())
        .contains("other.yaml:", "did you mean services?");
  }

  /** The next line with an event; every line is a JSON object. */
  private static JsonObject await(LineProcess server, String event) throws InterruptedException {
    String line =
        server.await(
            event,
            text ->
                JsonParser.parseString(text)
                    .getAsJsonObject()
                    .get("event")
                    .getAsString()
                    .equals(event));
    return JsonParser.parseString(line).getAsJsonObject();
  }

  private List<String> command(Path objects) {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" 2>&1", "sh"));
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "dev.holdfast.cli.Main",
            "serve",
            objects.toString(),
            "--log-format=json",
            "--extension-code=lua",
            "--state=" + directory.resolve("state.db"),
            "--xds-address=127.0.0.1:0",
            "--admin-address=127.0.0.1:0",
            "--http-address=127.0.0.1:0",
            "--https-address=0.0.0.0:0"));
    return command;
  }

  private static String host(String name) {
    return Yaml.root(name, name + ".example", "routes: [{services: [{name: one, port: 80}]}]");
  }

  private static String policy(String script) {
    return Lua.policy("greeting", "name: shop", "httpFilters: [" + Lua.filter(script) + "]");
  }

  private static void write(Path objects, String name, String text) throws Exception {
    Path temporary = Files.writeString(objects.resolve("." + name), text);
    Files.move(temporary, objects.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }
}
