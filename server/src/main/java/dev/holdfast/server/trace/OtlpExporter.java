// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.trace;

import dev.holdfast.controlplane.log.LogArea;
import dev.holdfast.controlplane.log.LogLine;
import dev.holdfast.controlplane.trace.TraceSpan;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends spans to a collector, on a thread of its own. Whoever has a span is never kept waiting: of
 * more than the collector takes, the rest is dropped and counted.
 */
public final class OtlpExporter implements AutoCloseable {
  /** A change with a few proxies has a dozen spans. */
  static final int MOST_WAITING = 4_096;

  private static final int MOST_AT_ONCE = 256;
  private static final Duration LONGEST = Duration.ofSeconds(10);
  private static final Duration LAST_WORDS = Duration.ofSeconds(2);
  private static final String PATH = "/v1/traces";

  private final BlockingQueue<TraceSpan> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final AtomicLong exported = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(LONGEST).build();
  private final URI endpoint;
  private final String version;
  private final Thread thread;
  private volatile boolean closing;

  /** Only the thread of this uses it. */
  private boolean fails;

  private OtlpExporter(URI endpoint, String version) {
    this.endpoint = endpoint;
    this.version = version;
    this.thread = new Thread(this::run, "holdfast-traces");
    thread.setDaemon(true);
  }

  /**
   * @param endpoint where the collector takes OTLP over HTTP, such as {@code http://otel:4318}
   * @param version of the program
   */
  public static OtlpExporter start(URI endpoint, String version) {
    OtlpExporter exporter = new OtlpExporter(complete(endpoint), version);
    exporter.thread.start();
    return exporter;
  }

  private static URI complete(URI endpoint) {
    String text = endpoint.toString().replaceFirst("/+$", "");
    return text.endsWith(PATH) ? endpoint : URI.create(text + PATH);
  }

  /** Takes a span, or drops it; never waits. Any thread may ask. */
  public void add(TraceSpan span) {
    if (!waiting.offer(span)) {
      dropped.incrementAndGet();
    }
  }

  public TraceReport report() {
    return new TraceReport(exported.get(), dropped.get(), failed.get());
  }

  private void run() {
    try {
      while (!closing || !waiting.isEmpty()) {
        TraceSpan first = waiting.poll(LAST_WORDS.toMillis() / 4, TimeUnit.MILLISECONDS);
        if (first != null) {
          List<TraceSpan> batch = new ArrayList<>(List.of(first));
          waiting.drainTo(batch, MOST_AT_ONCE - 1);
          send(batch);
        }
      }
    } catch (InterruptedException e) {
      // It ends; what was not sent is lost with it.
    }
  }

  private void send(List<TraceSpan> batch) throws InterruptedException {
    String problem;
    try {
      HttpResponse<Void> response =
          client.send(
              HttpRequest.newBuilder(endpoint)
                  .timeout(LONGEST)
                  .header("Content-Type", "application/json")
                  .POST(HttpRequest.BodyPublishers.ofByteArray(OtlpJson.of(batch, version)))
                  .build(),
              HttpResponse.BodyHandlers.discarding());
      problem = response.statusCode() / 100 == 2 ? "" : "status " + response.statusCode();
    } catch (IOException | RuntimeException e) {
      problem = e.getMessage() == null ? "no connection" : e.getMessage();
    }
    if (problem.isEmpty()) {
      exported.addAndGet(batch.size());
      if (fails) {
        LogArea.SERVER
            .info("traces-taken-again")
            .with(LogLine.ADDRESS, endpoint.toString())
            .log("the collector at " + endpoint + " takes traces again");
      }
      fails = false;
      return;
    }
    failed.addAndGet(batch.size());
    if (!fails) {
      LogArea.SERVER
          .warn("traces-not-taken")
          .with(LogLine.ADDRESS, endpoint.toString())
          .log(
              "the collector at "
                  + endpoint
                  + " does not take traces, which are lost: "
                  + problem
                  + " (nothing else is affected)");
    }
    fails = true;
  }

  /** Sends what waits, if that is possible within a moment. */
  @Override
  public void close() {
    closing = true;
    try {
      thread.join(LAST_WORDS.toMillis());
      thread.interrupt();
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
