// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.interop.Leash;
import dev.holdfast.interop.LineProcess;
import dev.holdfast.interop.TestSources;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.monitoring.DashboardPicture;
import dev.holdfast.interop.monitoring.Prometheus;
import dev.holdfast.interop.monitoring.PrometheusBinary;
import dev.holdfast.interop.serve.Lua;
import dev.holdfast.interop.serve.Yaml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One incident on a real server and a real Envoy, followed at the same time in the log, on the
 * dashboard and in the console: each of the walk-throughs of docs/operations.md has all that one
 * needs. With {@code -Dholdfast.screenshots=true} the pictures go to docs/images.
 */
class IncidentWalkTest {
  private static final String POLICY = "ExtensionPolicy/default/greeting";
  private static final Path DASHBOARD =
      TestSources.repositoryRoot().resolve("deploy/monitoring/dashboard.json");
  private static final Path RULES =
      TestSources.repositoryRoot().resolve("deploy/monitoring/alerts.yaml");
  private static final Path IMAGES =
      TestSources.repositoryRoot()
          .resolve(
              Boolean.getBoolean("holdfast.screenshots")
                  ? "docs/images"
                  : "interop/target/screenshots");

  /** The rows "Is all well?", "Changes" and "Rejections and searches" of the dashboard. */
  private static final int ROWS = 23;

  @TempDir Path directory;

  @Test
  void anIncidentIsSeenWhereverOneLooks() throws Exception {
    Path prometheusBinary = PrometheusBinary.find();
    Path objects = Files.createDirectory(directory.resolve("objects"));
    try (Backend backend = Backend.start("one")) {
      write(objects, "one.yaml", Yaml.service("one", backend.port()));
      write(
          objects,
          "shop.yaml",
          Yaml.root("shop", "shop.example", "routes: [{services: [{name: one, port: 80}]}]"));
      try (LineProcess server = new LineProcess(directory, Leash.on(command()))) {
        String ready = server.await("ready", line -> line.startsWith("holdfast ready: "));
        int xds = Integer.parseInt(ready.replaceAll(".*xDS on 127.0.0.1:([0-9]+),.*", "$1"));
        int admin =
            Integer.parseInt(ready.replaceAll(".*admin on http://127.0.0.1:([0-9]+),.*", "$1"));
        try (EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.delta(xds).node("edge-1"));
            Prometheus prometheus = Prometheus.start(prometheusBinary, directory, admin, RULES);
            Page page = Browser.shared().open()) {
          assertThat(envoy.http("ingress_http").get("/").host("shop.example").send().status())
              .isEqualTo(200);
          prometheus.await(panel("Held edits"), 0);
          // So that the pictures show how it was before, and what became of it.
          prometheus.await("sum(count_over_time(holdfast_ready[2m])) >= bool 8", 1);
          long began = Instant.now().getEpochSecond();
          page.prefer("light").size(1200, 860);
          page.load("http://127.0.0.1:" + admin + "/console/")
              .awaitText("#headline", "Proxies run the newest generation of every object in use.");

          write(objects, "policy.yaml", policy(Lua.BROKEN));

          String incident = inTheLog(server);
          onTheDashboard(prometheus, page, began, admin);
          inTheConsole(page, incident);
          assertThat(envoy.http("ingress_http").get("/").host("shop.example").send().status())
              .isEqualTo(200);

          write(objects, "policy.yaml", policy(Lua.mark("mended")));

          assertThat(await(server, "released").get("object").getAsString()).isEqualTo(POLICY);
          prometheus.await(panel("Held edits"), 0);
          page.go("#/", "Overview")
              .awaitText("#headline", "Proxies run the newest generation of every object in use.");
          page.go("#/objects/ExtensionPolicy/default/greeting")
              .awaitText(".standing", "Programmed")
              .awaitText("main", "Incidents");
          assertThat(page.complaints()).isEmpty();
        }
      }
    }
  }

  /** What, where and since when; the incident's number leads to the rest. */
  private static String inTheLog(LineProcess server) throws Exception {
    JsonObject started = await(server, "incident-started");
    assertThat(started.get("message").getAsString()).contains("script load error");
    JsonObject held = await(server, "held");
    assertThat(held.get("object").getAsString()).isEqualTo(POLICY);
    JsonObject ended = await(server, "incident-ended");
    assertThat(ended.get("offenders").getAsString()).isEqualTo(POLICY);
    return ended.get("incident").getAsString();
  }

  /** That something is held, why, that traffic is as before, and how long the search took. */
  private void onTheDashboard(Prometheus prometheus, Page page, long began, int admin)
      throws Exception {
    prometheus.await(panel("Held edits"), 1);
    prometheus.await(panel("Problems"), 1);
    prometheus.await(panel("Served in part"), 0);
    prometheus.await("count(ALERTS{alertname=\"HoldfastObjectHeld\"})", 1);
    assertThat(prometheus.query(panel("Held edits by reason")).toString()).contains("RejectedNew");
    prometheus.await("sum(holdfast_search_seconds_count) > 0", 1);
    prometheus.await("sum(sum_over_time(holdfast_held_objects[2m])) >= bool 8", 1);
    JsonObject dashboard = JsonParser.parseString(Files.readString(DASHBOARD)).getAsJsonObject();
    Path html =
        Files.writeString(
            directory.resolve("dashboard.html"),
            new DashboardPicture(prometheus, began - 7, Instant.now().getEpochSecond() + 1)
                .html(dashboard, ROWS));
    page.size(1200, 680).load(html.toUri().toString()).awaitText("body", "Held edits by reason");
    assertThat(page.texts(".stat .value")).startsWith("1", "1", "0", "1", "1", "1");
    save(page, "incident-dashboard");
    page.size(1200, 860).load("http://127.0.0.1:" + admin + "/console/").awaitTitle("Overview");
  }

  /** From the headline to the object, the proxy's words, the change, and the search. */
  private static void inTheConsole(Page page, String incident) throws Exception {
    page.awaitText("#headline", "1 object is held.").awaitText(".card", "script load error");
    save(page, "incident-console-overview");
    page.click(".card.held a.object").awaitTitle("ExtensionPolicy default/greeting");
    page.awaitText(".standing", "Held, new")
        .awaitText(".standing", "script load error")
        .awaitText("section[aria-label=Incidents]", "Found");
    save(page, "incident-console-object");
    page.go("#/incidents/" + incident, "Incident " + incident)
        .awaitText("main", "script load error")
        .awaitText("main", "default/greeting");
  }

  private static void save(Page page, String name) throws Exception {
    Files.createDirectories(IMAGES);
    Files.write(IMAGES.resolve(name + ".png"), page.picture());
  }

  /** The first expression of a panel. */
  private static String panel(String title) throws Exception {
    JsonObject dashboard = JsonParser.parseString(Files.readString(DASHBOARD)).getAsJsonObject();
    for (JsonElement element : dashboard.getAsJsonArray("panels")) {
      JsonObject panel = element.getAsJsonObject();
      if (panel.get("title").getAsString().equals(title) && panel.has("targets")) {
        JsonObject target = panel.getAsJsonArray("targets").get(0).getAsJsonObject();
        return target.get("expr").getAsString().replace("$job", ".*");
      }
    }
    throw new AssertionError("no such panel: " + title);
  }

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

  private List<String> command() {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" 2>&1", "sh"));
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "dev.holdfast.cli.Main",
            "serve",
            "objects", // relative: the path is on the pictures
            "--log-format=json",
            "--extension-code=lua",
            "--expected-proxies=all=1",
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
