// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.load;

import static dev.holdfast.grpc.load.Reporting.HERE;
import static dev.holdfast.testkit.FakeLoadService.wantingAll;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.xds.data.orca.v3.OrcaLoadReport;
import dev.holdfast.testkit.LoadTotals;
import dev.holdfast.xds.resources.cluster.ReportedMetrics;
import io.grpc.ClientStreamTracer;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Streams that break, servers that are slow, clusters that go. */
class LoadReportStreamsTest {
  private static final Duration TEN = Duration.ofSeconds(10);
  private static final ReportedMetrics ALL =
      new ReportedMetrics(false, false, false, true, new TreeSet<>());

  private final Reporting reporting = new Reporting();
  private final ClusterLoad load = reporting.lease("c");

  private void respond() {
    reporting.stream().respond(wantingAll(TEN));
    reporting.run();
  }

  @Test
  void l06BrokenStreamsAreTriedAgainEverLater() {
    for (long delay : new long[] {1, 2, 4, 8, 8}) {
      int before = reporting.transport().streams.size();
      reporting.stream().close(Status.UNAVAILABLE);
      reporting.run();
      reporting.advance(Duration.ofSeconds(delay).minusMillis(1));
      assertThat(reporting.transport().streams).hasSize(before);
      reporting.advance(Duration.ofMillis(1));
      assertThat(reporting.transport().streams).hasSize(before + 1);
    }
    respond();
    reporting.stream().close(Status.OK);
    reporting.run();
    int before = reporting.transport().streams.size();
    reporting.advanceSeconds(1);
    assertThat(reporting.transport().streams).as("the server had answered").hasSize(before + 1);
    assertThat(reporting.events).contains("began lrs-1").endsWith("ended lrs-1 UNAVAILABLE");
  }

  @Test
  void l07NothingIsLostWithAStream() {
    respond();
    Reporting.call(load, HERE, Status.OK);
    load.dropped("lb");
    Reporting.call(load, ALL, OrcaLoadReport.newBuilder().putNamedMetrics("queue", 3).build());
    reporting.stream().stuck = true;
    reporting.advanceSeconds(10); // this report never leaves
    int lost = reporting.stream().requests.size() - 1;
    Reporting.call(load, HERE, Status.INTERNAL);
    reporting.stream().close(Status.UNAVAILABLE);
    reporting.run();
    reporting.advanceSeconds(1);
    respond();
    reporting.advanceSeconds(10);
    var reports = reporting.reports().subList(lost, reporting.reports().size());
    assertThat(LoadTotals.of("c", reports)).isEqualTo(new LoadTotals(3, 2, 1, 0, 1));
    assertThat(reporting.lastReport().getClusterStats(0).getLoadReportInterval().getSeconds())
        .as("since the last report that left")
        .isEqualTo(21);
    assertThat(
            reporting
                .lastReport()
                .getClusterStats(0)
                .getUpstreamLocalityStats(0)
                .getLoadMetricStats(0)
                .getTotalMetricValue())
        .isEqualTo(3);
  }

  @Test
  void l08SlowServersGetOneReportWithEverything() {
    respond();
    reporting.stream().stuck = true;
    reporting.advanceSeconds(10);
    for (int i = 0; i < 5; i++) {
      Reporting.call(load, HERE, Status.OK);
      reporting.advanceSeconds(10);
    }
    assertThat(reporting.reports()).hasSize(1);
    reporting.stream().unstick();
    reporting.run();
    assertThat(reporting.reports()).hasSize(2);
    assertThat(LoadTotals.of("c", reporting.reports()).issued()).isEqualTo(5);
  }

  @Test
  void l09ClusterThatGoesIsReportedUntilItsLastCallEnds() {
    respond();
    ClientStreamTracer call = Reporting.begin(load, HERE);
    load.release();
    reporting.run();
    reporting.advanceSeconds(30);
    assertThat(LoadTotals.of("c", reporting.reports()).underWay()).isEqualTo(1);
    call.streamClosed(Status.OK);
    reporting.advanceSeconds(10);
    assertThat(LoadTotals.of("c", reporting.reports())).isEqualTo(new LoadTotals(1, 1, 0, 0, 0));
    reporting.advanceSeconds(10);
    assertThat(reporting.stream().cancelled).isTrue();
    assertThat(reporting.transport().closed).isTrue();
    assertThat(reporting.time.pending()).isEmpty();
  }

  @Test
  void l09ClusterThatComesBackGoesOnWithItsNumbers() {
    respond();
    Reporting.call(load, HERE, Status.OK);
    load.release();
    ClusterLoad again = reporting.lease("c");
    assertThat(again).isSameAs(load);
    reporting.advanceSeconds(20);
    assertThat(LoadTotals.of("c", reporting.reports()).issued()).isEqualTo(1);
    assertThat(reporting.stream().cancelled).isFalse();
  }

  @Test
  void unreachableServerIsNotTriedForClustersThatHaveNothingToSay() {
    load.release();
    reporting.run();
    reporting.stream().close(Status.UNAVAILABLE);
    reporting.run();
    reporting.advanceSeconds(1);
    assertThat(reporting.time.pending()).isEmpty();
    assertThat(reporting.transport().closed).isTrue();
  }

  @Test
  void memoryForClustersThatAreGoneIsBounded() {
    for (int i = 0; i < LoadStore.MAX_UNUSED + 50; i++) {
      ClusterLoad one = reporting.lease("c" + i);
      Reporting.call(one, HERE, Status.OK);
      one.release();
    }
    reporting.run();
    respond();
    reporting.advanceSeconds(10);
    assertThat(reporting.lastReport().getClusterStatsList()).hasSize(LoadStore.MAX_UNUSED + 1);
  }

  @Test
  void closedReporterLeavesNothingBehind() {
    respond();
    reporting.reporter.close();
    reporting.run();
    assertThat(reporting.stream().cancelled).isTrue();
    assertThat(reporting.transport().closed).isTrue();
    assertThat(reporting.time.pending()).isEmpty();
    Reporting.call(reporting.lease("late"), HERE, Status.OK);
    assertThat(reporting.transports).hasSize(1);
  }

  @Test
  void l10MetricsOfEndpointsAreSummedUpAsTheClusterAsks() {
    respond();
    ReportedMetrics wanted =
        new ReportedMetrics(true, false, true, false, new TreeSet<>(List.of("a", "b")));
    Reporting.call(
        load,
        wanted,
        OrcaLoadReport.newBuilder()
            .setCpuUtilization(0.5)
            .setMemUtilization(0.25)
            .putNamedMetrics("a", 1)
            .putNamedMetrics("c", 9)
            .build());
    Reporting.call(
        load,
        wanted,
        OrcaLoadReport.newBuilder()
            .setCpuUtilization(0.25)
            .putNamedMetrics("a", 2)
            .putNamedMetrics("b", -1)
            .build());
    Reporting.call(
        load, wanted, OrcaLoadReport.newBuilder().putNamedMetrics("a", Double.NaN).build());
    reporting.advanceSeconds(10);
    var stats = reporting.lastReport().getClusterStats(0).getUpstreamLocalityStats(0);
    assertThat(stats.getLoadMetricStatsList())
        .extracting(
            metric ->
                metric.getMetricName()
                    + " "
                    + metric.getNumRequestsFinishedWithMetric()
                    + " "
                    + metric.getTotalMetricValue())
        .containsExactly("named_metrics.a 2 3.0", "named_metrics.b 1 -1.0");
    assertThat(stats.getCpuUtilization().getNumRequestsFinishedWithMetric()).isEqualTo(2);
    assertThat(stats.getCpuUtilization().getTotalMetricValue()).isEqualTo(0.75);
    assertThat(stats.hasMemUtilization()).isFalse();
    assertThat(stats.hasApplicationUtilization()).as("nobody said").isFalse();
    assertThat(stats.getTotalIssuedRequests()).isEqualTo(3);
  }
}
