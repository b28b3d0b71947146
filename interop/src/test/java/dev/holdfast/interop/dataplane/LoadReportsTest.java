// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static dev.holdfast.testkit.FakeLoadService.wanting;
import static dev.holdfast.testkit.FakeLoadService.wantingAll;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.xds.data.orca.v3.OrcaLoadReport;
import dev.holdfast.testkit.FakeStream;
import dev.holdfast.testkit.LoadTotals;
import dev.holdfast.testkit.Resources;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.UpstreamLocalityStats;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsRequest;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsResponse;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What Holdfast and grpc-xds tell one server of their loads. */
@Execution(ExecutionMode.CONCURRENT)
class LoadReportsTest {
  private static final Duration OFTEN = Duration.ofMillis(200);

  private final Stage stage = new Stage();
  private final Backend one = stage.backend("one");
  private final Backend two = stage.backend("two");

  @AfterEach
  void close() {
    stage.close();
  }

  private void serve(String clusterFields) {
    stage.serve();
    stage.ads.set(Xds.cluster("c", "\"lrs_server\": {\"self\": {}}" + clusterFields), localities());
  }

  private ClusterLoadAssignment localities() {
    return Xds.endpoints("c", Xds.locality("a", 0, 1, one), Xds.locality("b", 0, 3, two));
  }

  /** Opens a channel of one of the two; its stream, which asks for reports. */
  private FakeStream<LoadStatsRequest, LoadStatsResponse> reporting(
      ManagedChannel channel, LoadStatsResponse wanted) {
    channel.getState(/* requestConnection= */ true);
    FakeStream<LoadStatsRequest, LoadStatsResponse> stream = stage.ads.loads.awaitStream();
    stream.send(wanted);
    return stream;
  }

  private static List<LoadStatsRequest> awaitAll(
      FakeStream<LoadStatsRequest, LoadStatsResponse> stream, LoadTotals totals) {
    return stream.awaitRequests(requests -> LoadTotals.of("c", requests).equals(totals));
  }

  private List<ManagedChannel> both() {
    return List.of(stage.channel(), stage.peer());
  }

  @Test
  void bothReportTheSameNumbersOfTheSameCalls() {
    serve("");
    for (ManagedChannel channel : both()) {
      FakeStream<LoadStatsRequest, LoadStatsResponse> stream =
          reporting(channel, wantingAll(OFTEN));
      assertThat(stream.awaitRequest().getNode().getClientFeaturesList())
          .contains("envoy.lrs.supports_send_all_clusters");
      Stage.awaitBackend(channel, one);
      Stage.awaitBackend(channel, two);
      int before = one.calls() + two.calls();
      long first = awaitQuiet(stream).issued();
      one.failNext(20, Status.INTERNAL);
      two.failNext(20, Status.INTERNAL);
      assertThat(Rpc.share(channel, 400)).containsEntry("failed", 40);
      assertThat(one.calls() + two.calls()).isEqualTo(before + 400);
      List<LoadStatsRequest> reports =
          awaitAll(stream, new LoadTotals(first + 400, first + 360, 40, 0, 0));
      Set<String> zones = new TreeSet<>();
      reports.forEach(
          report ->
              report
                  .getClusterStatsList()
                  .forEach(
                      stats ->
                          stats
                              .getUpstreamLocalityStatsList()
                              .forEach(locality -> zones.add(locality.getLocality().getZone()))));
      assertThat(zones).containsExactly("a", "b");
      channel.shutdownNow();
      stream.awaitEnd();
    }
  }

  /** The totals of all calls so far. */
  private static LoadTotals awaitQuiet(FakeStream<LoadStatsRequest, LoadStatsResponse> stream) {
    int seen = stream.requests().size();
    stream.awaitRequests(requests -> requests.size() > seen + 1);
    return LoadTotals.of("c", stream.requests());
  }

  @Test
  void bothReportDropsByCategory() {
    serve("");
    ClusterLoadAssignment.Builder endpoints = localities().toBuilder();
    Resources.read(
        """
        {"drop_overloads": [
          {"category": "lb", "drop_percentage": {"numerator": 50, "denominator": "HUNDRED"}}]}
        """,
        endpoints.getPolicyBuilder());
    stage.ads.set(endpoints.build());
    for (ManagedChannel channel : both()) {
      FakeStream<LoadStatsRequest, LoadStatsResponse> stream =
          reporting(channel, wanting(OFTEN, "c"));
      int dropped = Rpc.share(channel, 200).getOrDefault("failed", 0);
      List<LoadStatsRequest> reports =
          awaitAll(stream, new LoadTotals(200 - dropped, 200 - dropped, 0, 0, dropped));
      assertThat(LoadTotals.drops("c", reports)).isEqualTo(Map.of("lb", (long) dropped));
      channel.shutdownNow();
      stream.awaitEnd();
    }
  }

  @Test
  void bothReportWhatEndpointsSayAsTheClusterAsks() {
    serve(
        ", \"lrs_report_endpoint_metrics\": [\"cpu_utilization\", \"named_metrics.queue\","
            + " \"named_metrics.none\"]");
    OrcaLoadReport report =
        OrcaLoadReport.newBuilder()
            .setCpuUtilization(0.5)
            .setMemUtilization(0.25)
            .putNamedMetrics("queue", 3)
            .putNamedMetrics("other", 1)
            .build();
    one.reports(report);
    two.reports(report);
    for (ManagedChannel channel : both()) {
      FakeStream<LoadStatsRequest, LoadStatsResponse> stream =
          reporting(channel, wantingAll(OFTEN));
      assertThat(Rpc.share(channel, 40)).doesNotContainKey("failed");
      List<LoadStatsRequest> reports = awaitAll(stream, new LoadTotals(40, 40, 0, 0, 0));
      assertThat(metrics(reports))
          .isEqualTo(Map.of("cpu_utilization", 20.0, "named_metrics.queue", 120.0));
      channel.shutdownNow();
      stream.awaitEnd();
    }
  }

  /** Sums by name. A85 has fields for some that grpc-xds sends among the named ones. */
  private static Map<String, Double> metrics(List<LoadStatsRequest> reports) {
    Map<String, Double> sums = new TreeMap<>();
    for (LoadStatsRequest report : reports) {
      report
          .getClusterStatsList()
          .forEach(
              stats ->
                  stats.getUpstreamLocalityStatsList().forEach(locality -> add(locality, sums)));
    }
    return sums;
  }

  private static void add(UpstreamLocalityStats locality, Map<String, Double> sums) {
    if (locality.hasCpuUtilization()) {
      sums.merge(
          "cpu_utilization", locality.getCpuUtilization().getTotalMetricValue(), Double::sum);
    }
    locality
        .getLoadMetricStatsList()
        .forEach(
            metric ->
                sums.merge(metric.getMetricName(), metric.getTotalMetricValue(), Double::sum));
  }
}
