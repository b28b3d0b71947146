// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.load;

import dev.holdfast.grpc.orca.CallReports;
import dev.holdfast.grpc.trace.StreamLifetimes;
import dev.holdfast.xds.resources.cluster.ReportedMetrics;
import dev.holdfast.xds.resources.endpoint.Locality;
import io.envoyproxy.envoy.config.endpoint.v3.EndpointLoadMetricStats;
import io.envoyproxy.envoy.config.endpoint.v3.UnnamedEndpointLoadMetricStats;
import io.envoyproxy.envoy.config.endpoint.v3.UpstreamLocalityStats;
import io.grpc.ClientStreamTracer;
import io.grpc.Status;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one locality.
 *
 * <p>They are counted from the beginning and never reset. A report has the difference to what the
 * last one had that left, so that nothing is lost with a report that did not leave; and what is
 * under way is what began and did not end, in every report.
 */
final class LocalityLoad {
  private final Locality locality;
  private final CallCounts calls = new CallCounts();
  private final MetricTotals metrics = new MetricTotals();
  private volatile Tracers alone = new Tracers(ReportedMetrics.NONE, null);

  // The reader's.
  private CallCounts.Totals reported = CallCounts.Totals.NONE;
  private CallCounts.Totals read = reported;
  private Map<String, MetricTotals.Total> readMetrics = Map.of();

  LocalityLoad(Locality locality) {
    this.locality = locality;
  }

  /** Counts the streams that it sees; passes them on to the other factory if there is one. */
  ClientStreamTracer.Factory counting(
      ReportedMetrics wanted, ClientStreamTracer.@Nullable Factory other) {
    if (other != null) {
      return new Tracers(wanted, other);
    }
    Tracers same = alone;
    if (!same.wanted.equals(wanted)) {
      same = new Tracers(wanted, null);
      alone = same;
    }
    return same;
  }

  /** What there is to say since the last report that left; null for nothing. */
  @Nullable UpstreamLocalityStats read() {
    read = calls.read();
    readMetrics = metrics.take();
    if (read.equals(reported) && read.underWay() == 0 && readMetrics.isEmpty()) {
      return null;
    }
    UpstreamLocalityStats.Builder stats =
        UpstreamLocalityStats.newBuilder()
            .setTotalIssuedRequests(read.begun() - reported.begun())
            .setTotalSuccessfulRequests(read.succeeded() - reported.succeeded())
            .setTotalErrorRequests(read.failed() - reported.failed())
            .setTotalRequestsInProgress(read.underWay());
    stats
        .getLocalityBuilder()
        .setRegion(locality.region())
        .setZone(locality.zone())
        .setSubZone(locality.subZone());
    readMetrics.forEach((name, total) -> add(stats, name, total));
    return stats.build();
  }

  private static void add(
      UpstreamLocalityStats.Builder stats, String name, MetricTotals.Total total) {
    UnnamedEndpointLoadMetricStats unnamed =
        UnnamedEndpointLoadMetricStats.newBuilder()
            .setNumRequestsFinishedWithMetric(total.calls())
            .setTotalMetricValue(total.sum())
            .build();
    switch (name) {
      case MetricTotals.CPU -> stats.setCpuUtilization(unnamed);
      case MetricTotals.MEMORY -> stats.setMemUtilization(unnamed);
      case MetricTotals.APPLICATION -> stats.setApplicationUtilization(unnamed);
      default ->
          stats.addLoadMetricStats(
              EndpointLoadMetricStats.newBuilder()
                  .setMetricName(name)
                  .setNumRequestsFinishedWithMetric(total.calls())
                  .setTotalMetricValue(total.sum()));
    }
  }

  /** What was read has left. */
  void sent() {
    reported = read;
    readMetrics = Map.of();
  }

  /** What was read has not left, and is to be read again. */
  void notSent() {
    read = reported;
    metrics.giveBack(readMetrics);
    readMetrics = Map.of();
  }

  /** Whether all was said, and nothing is under way. */
  boolean isDone() {
    return reported.underWay() == 0 && calls.read().equals(reported) && metrics.isEmpty();
  }

  private final class Tracers extends StreamLifetimes {
    private final ReportedMetrics wanted;

    Tracers(ReportedMetrics wanted, ClientStreamTracer.@Nullable Factory other) {
      super(wanted.any() ? CallReports.to(report -> metrics.add(report, wanted), other) : other);
      this.wanted = wanted;
    }

    @Override
    protected void began() {
      calls.began();
    }

    @Override
    protected void ended(Status status) {
      calls.ended(status.isOk());
    }
  }
}
