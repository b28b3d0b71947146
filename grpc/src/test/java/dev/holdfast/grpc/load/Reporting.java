// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.load;

import com.github.xds.data.orca.v3.OrcaLoadReport;
import dev.holdfast.base.Env;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import dev.holdfast.xds.client.BackoffPolicy;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.XdsClientObserver;
import dev.holdfast.xds.resources.cluster.ReportedMetrics;
import dev.holdfast.xds.resources.endpoint.Locality;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsRequest;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A reporter whose servers, time and threads are the test's. */
public final class Reporting {
  public static final ServerConfig SERVER = ServerConfig.insecure("lrs-1");
  public static final Locality HERE = new Locality("r", "here", "");
  public static final Locality THERE = new Locality("r", "there", "");

  public final ManualTime time = new ManualTime();
  public final ManualExecutor executor = new ManualExecutor();
  public final Map<ServerConfig, FakeLoadTransport> transports = new LinkedHashMap<>();
  public final List<String> events = new ArrayList<>();
  public final LoadReporter reporter =
      new LoadReporter(
          Node.newBuilder().setId("node-1").addClientFeatures("other").build(),
          server -> transports.computeIfAbsent(server, s -> new FakeLoadTransport()),
          new BackoffPolicy(Duration.ofSeconds(1), 2, Duration.ofSeconds(8), 0),
          new Env(executor, time, new Random(1)),
          new XdsClientObserver() {
            @Override
            public void loadReportsBegan(ServerConfig server) {
              events.add("began " + server.uri());
            }

            @Override
            public void loadReportsEnded(ServerConfig server, Status status) {
              events.add("ended " + server.uri() + " " + status.getCode());
            }

            @Override
            public void uncaught(Throwable error) {
              throw new AssertionError(error);
            }
          });

  ClusterLoad lease(String cluster) {
    ClusterLoad load = reporter.lease(SERVER, cluster, "");
    run();
    return load;
  }

  public void run() {
    executor.runAll();
  }

  public void advance(Duration by) {
    time.advance(by, this::run);
  }

  public void advanceSeconds(long seconds) {
    advance(Duration.ofSeconds(seconds));
  }

  public FakeLoadTransport transport() {
    FakeLoadTransport transport = transports.get(SERVER);
    if (transport == null) {
      throw new AssertionError("nobody connected to " + SERVER);
    }
    return transport;
  }

  public FakeLoadTransport.FakeLoadStream stream() {
    return transport().stream();
  }

  /** All requests of all streams but the first of each. */
  public List<LoadStatsRequest> reports() {
    List<LoadStatsRequest> reports = new ArrayList<>();
    transport()
        .streams
        .forEach(stream -> reports.addAll(stream.requests.subList(1, stream.requests.size())));
    return reports;
  }

  public LoadStatsRequest lastReport() {
    List<LoadStatsRequest> reports = reports();
    return reports.get(reports.size() - 1);
  }

  static ClientStreamTracer begin(ClusterLoad load, Locality locality) {
    return begin(load, locality, ReportedMetrics.NONE);
  }

  static ClientStreamTracer begin(ClusterLoad load, Locality locality, ReportedMetrics metrics) {
    return load.counting(locality, metrics, null)
        .newClientStreamTracer(ClientStreamTracer.StreamInfo.newBuilder().build(), new Metadata());
  }

  static void call(ClusterLoad load, Locality locality, Status status) {
    begin(load, locality).streamClosed(status);
  }

  /** A call whose endpoint says how it is. */
  static void call(ClusterLoad load, ReportedMetrics metrics, OrcaLoadReport report) {
    ClientStreamTracer tracer = begin(load, HERE, metrics);
    Metadata trailers = new Metadata();
    trailers.put(
        Metadata.Key.of("endpoint-load-metrics-bin", Metadata.BINARY_BYTE_MARSHALLER),
        report.toByteArray());
    tracer.inboundTrailers(trailers);
    tracer.streamClosed(Status.OK);
  }
}
