// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.interop.TestSources;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.serve.Lua;
import dev.holdfast.interop.serve.PlaneProcess;
import dev.holdfast.interop.serve.Yaml;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of deploy/monitoring, with a real Prometheus, a real server and a real Envoy. */
class MonitoringTest {
  private static final Path FILES = TestSources.repositoryRoot().resolve("deploy/monitoring");
  private static final Path RULES = FILES.resolve("alerts.yaml");
  private static final Pattern METRIC =
      Pattern.compile("\\b((?:holdfast|process|jvm)_[a-z_]+[a-z])\\b");

  @TempDir Path directory;

  @Test
  void promtoolTakesTheRulesAndTheirTests() throws Exception {
    Path promtool = PrometheusBinary.find().resolveSibling("promtool");
    run(promtool.toString(), "check", "rules", RULES.toString());
    run(promtool.toString(), "test", "rules", FILES.resolve("alerts-test.yaml").toString());
  }

  @Test
  void everyMetricIsDocumentedAndEveryAlertExplained() throws Exception {
    Path docs = TestSources.repositoryRoot().resolve("docs");
    String metrics = Files.readString(docs.resolve("admin-api.md"));
    Matcher used =
        METRIC.matcher(Files.readString(RULES) + String.join("\n", expressions().values()));
    while (used.find()) {
      String name = used.group(1).replaceFirst("_(bucket|sum|count)$", "");
      assertThat(metrics).contains("`" + name + "`");
    }
    String operations = Files.readString(docs.resolve("operations.md"));
    Matcher alert = Pattern.compile("- alert: (\\w+)").matcher(Files.readString(RULES));
    while (alert.find()) {
      assertThat(operations).contains("| `" + alert.group(1) + "` |");
    }
  }

  @Test
  void anIncidentCanBeFollowedFromTheDashboardAlone() throws Exception {
    Path binary = PrometheusBinary.find();
    try (Backend backend = Backend.start("one");
        PlaneProcess server = new PlaneProcess(directory)) {
      server.write("one.yaml", Yaml.service("one", backend.port()));
      server.write(
          "shop.yaml",
          Yaml.root("shop", "shop.example", "routes: [{services: [{name: one, port: 80}]}]"));
      server.up();
      try (EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.delta(server.xdsPort()));
          Prometheus prometheus = Prometheus.start(binary, directory, server.adminPort(), RULES)) {
        assertThat(envoy.http("ingress_http").get("/").host("shop.example").send().status())
            .isEqualTo(200);
        follow(server, prometheus);
      }
    }
  }

  private static void follow(PlaneProcess server, Prometheus prometheus) throws Exception {
    Map<String, String> panels = expressions();
    prometheus.await(of(panels, "Ready"), 1);
    prometheus.await(of(panels, "Proxies"), 1);
    prometheus.await(of(panels, "Problems"), 0);
    prometheus.await(of(panels, "Held edits"), 0);

    server.write("policy.yaml", policy(Lua.BROKEN));

    prometheus.await(of(panels, "Held edits"), 1);
    prometheus.await(of(panels, "Problems"), 1);
    prometheus.await(of(panels, "Served in part"), 0);
    prometheus.await("sum(" + of(panels, "Held edits by reason") + ")", 1);
    assertThat(reasons(prometheus.query(of(panels, "Held edits by reason"))))
        .contains("RejectedNew");
    prometheus.await("count(ALERTS{alertname=\"HoldfastObjectHeld\"})", 1);
    // Every panel shows something, and none an error.
    for (Map.Entry<String, String> panel : panels.entrySet()) {
      assertThat(prometheus.query(variables(panel.getValue())))
          .as(panel.getKey() + ": " + panel.getValue())
          .isNotEmpty();
    }

    server.write("policy.yaml", policy(Lua.mark("mended")));

    prometheus.await(of(panels, "Held edits"), 0);
    prometheus.await(of(panels, "Problems"), 0);
    prometheus.await("count(ALERTS) or vector(0)", 0);
  }

  private static List<String> reasons(JsonArray series) {
    List<String> reasons = new ArrayList<>();
    for (JsonElement one : series) {
      JsonElement reason = one.getAsJsonObject().getAsJsonObject("metric").get("reason");
      if (reason != null) {
        reasons.add(reason.getAsString());
      }
    }
    return reasons;
  }

  private static String policy(String script) {
    return Lua.policy("greeting", "name: shop", "httpFilters: [" + Lua.filter(script) + "]");
  }

  private static String of(Map<String, String> panels, String title) {
    return variables(panels.getOrDefault(title + " A", "no such panel: " + title));
  }

  /** As Grafana does for "All". */
  private static String variables(String expression) {
    return expression.replace("$job", ".*");
  }

  /** The expressions of the dashboard, by panel and letter. */
  private static Map<String, String> expressions() throws Exception {
    JsonObject dashboard =
        JsonParser.parseString(Files.readString(FILES.resolve("dashboard.json"))).getAsJsonObject();
    Map<String, String> expressions = new LinkedHashMap<>();
    for (JsonElement element : dashboard.getAsJsonArray("panels")) {
      JsonObject panel = element.getAsJsonObject();
      if (panel.has("targets")) {
        for (JsonElement target : panel.getAsJsonArray("targets")) {
          expressions.put(
              panel.get("title").getAsString()
                  + " "
                  + target.getAsJsonObject().get("refId").getAsString(),
              target.getAsJsonObject().get("expr").getAsString());
        }
      }
    }
    return expressions;
  }

  private static void run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
  }
}
