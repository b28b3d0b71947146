// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.trace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpServer;
import dev.holdfast.controlplane.trace.TraceSpan;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A collector that takes spans, refuses them, does not answer, or is not there. */
class OtlpExporterTest {
  private final BlockingQueue<String> bodies = new LinkedBlockingQueue<>();
  private final CountDownLatch answer = new CountDownLatch(1);
  private HttpServer collector;
  private volatile int status = 200;
  private volatile boolean waits;

  OtlpExporterTest() throws Exception {
    collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  @BeforeEach
  void start() {
    collector.createContext(
        "/v1/traces",
        exchange -> {
          bodies.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
          if (waits) {
            try {
              answer.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    collector.start();
  }

  @AfterEach
  void stop() {
    answer.countDown();
    collector.stop(0);
  }

  private URI endpoint() {
    return URI.create("http://127.0.0.1:" + collector.getAddress().getPort());
  }

  @Test
  void aSpanArrivesAsOtlpDescribesIt() throws Exception {
    try (OtlpExporter exporter = OtlpExporter.start(endpoint(), "1.2.3")) {
      exporter.add(span("trial", "00f067aa0ba902b7", "script load error: \"x\""));

      JsonObject resource = first(JsonParser.parseString(take()), "resourceSpans");
      assertThat(resource.get("resource"))
          .isEqualTo(
              JsonParser.parseString(
                  """
                  {"attributes": [
                    {"key": "service.name", "value": {"stringValue": "holdfast"}},
                    {"key": "service.version", "value": {"stringValue": "1.2.3"}}]}
                  """));
      assertThat(first(first(resource, "scopeSpans"), "spans"))
          .isEqualTo(
              JsonParser.parseString(
                  """
                  {"traceId": "4bf92f3577b34da6a3ce929d0e0e4736",
                   "spanId": "00f067aa0ba902b7", "parentSpanId": "a2fb4a1d1a96d312",
                   "name": "trial", "kind": 1,
                   "startTimeUnixNano": "1767225600000000001",
                   "endTimeUnixNano": "1767225600500000000",
                   "attributes": [
                     {"key": "holdfast.object", "value": {"stringValue": "HTTPProxy/default/a"}}],
                   "status": {"code": 2, "message": "script load error: \\"x\\""}}
                  """));
    }
  }

  @Test
  void whatWaitsIsSentBeforeTheEnd() {
    OtlpExporter exporter = OtlpExporter.start(endpoint(), "1");
    for (int i = 0; i < 600; i++) {
      exporter.add(span("verdict", "00f067aa0ba902b7", ""));
    }
    exporter.close();

    assertThat(exporter.report()).isEqualTo(new TraceReport(600, 0, 0));
    assertThat(bodies).hasSizeGreaterThanOrEqualTo(3);
  }

  @Test
  void aCollectorThatDoesNotAnswerCostsSpansAndNothingElse() throws Exception {
    waits = true;
    try (OtlpExporter exporter = OtlpExporter.start(endpoint(), "1")) {
      exporter.add(span("first", "00f067aa0ba902b7", ""));
      take();

      for (int i = 0; i < OtlpExporter.MOST_WAITING + 10; i++) {
        exporter.add(span("verdict", "00f067aa0ba902b7", ""));
      }

      assertThat(exporter.report()).isEqualTo(new TraceReport(0, 10, 0));
      answer.countDown();
    }
  }

  @Test
  void whatACollectorRefusesIsCounted() {
    status = 503;
    OtlpExporter exporter = OtlpExporter.start(endpoint(), "1");
    exporter.add(span("first", "00f067aa0ba902b7", ""));
    exporter.close();

    assertThat(exporter.report()).isEqualTo(new TraceReport(0, 0, 1));
  }

  @Test
  void aCollectorThatIsNotThereIsCountedToo() {
    URI nowhere = endpoint();
    collector.stop(0);
    OtlpExporter exporter = OtlpExporter.start(nowhere, "1");
    exporter.add(span("first", "00f067aa0ba902b7", ""));
    exporter.close();

    assertThat(exporter.report()).isEqualTo(new TraceReport(0, 0, 1));
  }

  private String take() throws InterruptedException {
    String body = bodies.poll(30, TimeUnit.SECONDS);
    assertThat(body).as("a request").isNotNull();
    return body == null ? "" : body;
  }

  private static JsonObject first(JsonElement parent, String name) {
    JsonArray array = parent.getAsJsonObject().getAsJsonArray(name);
    return array.get(0).getAsJsonObject();
  }

  private static TraceSpan span(String name, String id, String error) {
    return new TraceSpan(
        "4bf92f3577b34da6a3ce929d0e0e4736",
        id,
        "a2fb4a1d1a96d312",
        name,
        Instant.parse("2026-01-01T00:00:00.000000001Z"),
        Instant.parse("2026-01-01T00:00:00.5Z"),
        new TreeMap<>(Map.of("holdfast.object", "HTTPProxy/default/a")),
        error);
  }
}
