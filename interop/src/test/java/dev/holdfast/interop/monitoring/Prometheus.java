// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.monitoring;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.interop.Leash;
import dev.holdfast.testkit.ReservedPorts;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A Prometheus that scrapes one server every second, with our alerting rules. */
public final class Prometheus implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Process process;
  private final int port;
  private final HttpClient http = HttpClient.newHttpClient();

  private Prometheus(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  public static Prometheus start(Path binary, Path directory, int adminPort, Path rules)
      throws Exception {
    Path config =
        Files.writeString(
            directory.resolve("prometheus.yml"),
            """
            global: {scrape_interval: 1s, evaluation_interval: 1s}
            rule_files: [%s]
            scrape_configs:
              - job_name: holdfast
                static_configs: [{targets: ["127.0.0.1:%d"]}]
            """
                .formatted(rules, adminPort));
    int port = ReservedPorts.next();
    Process process =
        new ProcessBuilder(
                Leash.on(
                    List.of(
                        binary.toString(),
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + directory.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port)))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("prometheus.log").toFile())
            .start();
    return new Prometheus(process, port);
  }

  /** The series that an expression has had, second by second. */
  JsonArray queryRange(String expression, long from, long to) throws Exception {
    return get("/api/v1/query_range?start="
            + from
            + "&end="
            + to
            + "&step=1&query="
            + URLEncoder.encode(expression, StandardCharsets.UTF_8))
        .getAsJsonObject("data")
        .getAsJsonArray("result");
  }

  /** The series that an expression has now. */
  public JsonArray query(String expression) throws Exception {
    return get("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8))
        .getAsJsonObject("data")
        .getAsJsonArray("result");
  }

  /** Waits until an expression has a series with this value. */
  public void await(String expression, double value) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    JsonArray last = new JsonArray();
    while (System.nanoTime() < end) {
      try {
        last = query(expression);
        if (last.size() == 1 && value(last) == value) {
          return;
        }
      } catch (ConnectException e) {
        // It is still starting.
      }
      Thread.sleep(200);
    }
    throw new AssertionError("expected " + expression + " = " + value + ", but: " + last);
  }

  public static double value(JsonArray series) {
    return series.get(0).getAsJsonObject().getAsJsonArray("value").get(1).getAsDouble();
  }

  private JsonObject get(String path) throws Exception {
    HttpResponse<String> response =
        http.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
            HttpResponse.BodyHandlers.ofString());
    JsonObject answer = JsonParser.parseString(response.body()).getAsJsonObject();
    if (response.statusCode() != 200) {
      throw new AssertionError(path + ": " + response.body());
    }
    return answer;
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
