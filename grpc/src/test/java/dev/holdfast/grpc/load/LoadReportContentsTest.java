// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.load;

import static dev.holdfast.grpc.load.Reporting.HERE;
import static dev.holdfast.grpc.load.Reporting.SERVER;
import static dev.holdfast.grpc.load.Reporting.THERE;
import static dev.holdfast.testkit.FakeLoadService.wanting;
import static dev.holdfast.testkit.FakeLoadService.wantingAll;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.LoadTotals;
import dev.holdfast.xds.client.ServerConfig;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterStats;
import io.envoyproxy.envoy.config.endpoint.v3.UpstreamLocalityStats;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsRequest;
import io.grpc.ClientStreamTracer;
import io.grpc.Status;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoadReportContentsTest {
  private static final Duration TEN = Duration.ofSeconds(10);

  private final Reporting reporting = new Reporting();

  @Test
  void nothingIsConnectedToUntilAClusterAsksForReports() {
    reporting.run();
    assertThat(reporting.transports).isEmpty();
    assertThat(reporting.time.pending()).isEmpty();
  }

  @Test
  void l01TheFirstRequestNamesTheNodeAndWhatItUnderstands() {
    reporting.lease("c");
    LoadStatsRequest first = reporting.stream().requests.get(0);
    assertThat(first.getNode().getId()).isEqualTo("node-1");
    assertThat(first.getNode().getClientFeaturesList())
        .containsExactly("other", "envoy.lrs.supports_send_all_clusters");
    assertThat(first.getClusterStatsList()).isEmpty();
    reporting.advanceSeconds(100);
    assertThat(reporting.reports()).as("before the server asks").isEmpty();
  }

  @Test
  void l02ReportsComeAtTheIntervalThatTheServerAsksFor() {
    reporting.lease("c");
    reporting.stream().respond(wantingAll(TEN));
    reporting.run();
    reporting.advanceSeconds(9);
    assertThat(reporting.reports()).isEmpty();
    reporting.advanceSeconds(1);
    assertThat(reporting.reports()).hasSize(1);
    assertThat(reporting.lastReport().getNode().getId()).as("said before").isEmpty();
    reporting.stream().respond(wantingAll(Duration.ofSeconds(2)));
    reporting.run();
    reporting.advanceSeconds(4);
    assertThat(reporting.reports()).hasSize(3);
  }

  @Test
  void l02SameResponseAgainDoesNotPutTheReportOff() {
    reporting.lease("c");
    for (int second = 0; second < 10; second++) {
      reporting.stream().respond(wantingAll(TEN));
      reporting.run();
      reporting.advanceSeconds(1);
    }
    assertThat(reporting.reports()).hasSize(1);
  }

  @Test
  void l02TinyIntervalsAreNotTakenLiterally() {
    reporting.lease("c");
    reporting.stream().respond(wantingAll(Duration.ofNanos(1)));
    reporting.run();
    reporting.advance(Duration.ofSeconds(1));
    assertThat(reporting.reports()).hasSize(10);
  }

  @Test
  void l03OnlyTheClustersThatTheServerNamesAreReported() {
    ClusterLoad a = reporting.lease("a");
    ClusterLoad b = reporting.lease("b");
    reporting.stream().respond(wanting(TEN, "a", "unknown"));
    reporting.run();
    Reporting.call(a, HERE, Status.OK);
    Reporting.call(b, HERE, Status.OK);
    reporting.advanceSeconds(10);
    assertThat(reporting.lastReport().getClusterStatsList())
        .extracting(ClusterStats::getClusterName)
        .containsExactly("a");
    reporting.stream().respond(wanting(TEN, "b"));
    reporting.run();
    reporting.advanceSeconds(10);
    assertThat(reporting.lastReport().getClusterStatsList())
        .extracting(ClusterStats::getClusterName)
        .containsExactly("b");
    assertThat(LoadTotals.of("b", reporting.reports()).issued())
        .as("counted meanwhile")
        .isEqualTo(1);
    assertThat(reporting.lastReport().getClusterStats(0).getLoadReportInterval().getSeconds())
        .as("since nothing was said of it before")
        .isEqualTo(20);
  }

  @Test
  void l04CallsAreCountedByLocality() {
    ClusterLoad load = reporting.lease("c");
    reporting.stream().respond(wantingAll(TEN));
    reporting.run();
    Reporting.call(load, HERE, Status.OK);
    Reporting.call(load, HERE, Status.OK);
    Reporting.call(load, THERE, Status.INTERNAL);
    ClientStreamTracer under = Reporting.begin(load, THERE);
    reporting.advanceSeconds(10);
    ClusterStats stats = reporting.lastReport().getClusterStats(0);
    assertThat(stats.getUpstreamLocalityStatsList())
        .containsExactly(locality("here", 2, 2, 0, 0), locality("there", 2, 0, 1, 1));
    assertThat(stats.getLoadReportInterval().getSeconds()).isEqualTo(10);

    under.streamClosed(Status.OK);
    reporting.advanceSeconds(10);
    assertThat(reporting.lastReport().getClusterStats(0).getUpstreamLocalityStatsList())
        .containsExactly(locality("there", 0, 1, 0, 0));
    reporting.advanceSeconds(10);
    assertThat(reporting.lastReport().getClusterStats(0).getUpstreamLocalityStatsList()).isEmpty();
  }

  private static UpstreamLocalityStats locality(
      String zone, long issued, long succeeded, long failed, long underWay) {
    UpstreamLocalityStats.Builder stats =
        UpstreamLocalityStats.newBuilder()
            .setTotalIssuedRequests(issued)
            .setTotalSuccessfulRequests(succeeded)
            .setTotalErrorRequests(failed)
            .setTotalRequestsInProgress(underWay);
    stats.getLocalityBuilder().setRegion("r").setZone(zone);
    return stats.build();
  }

  @Test
  void l05DropsAreCountedByCategoryAndInTotal() {
    ClusterLoad load = reporting.lease("c");
    reporting.stream().respond(wantingAll(TEN));
    reporting.run();
    load.dropped("throttle");
    load.dropped("throttle");
    load.dropped("lb");
    load.dropped();
    reporting.advanceSeconds(10);
    ClusterStats stats = reporting.lastReport().getClusterStats(0);
    assertThat(stats.getTotalDroppedRequests()).isEqualTo(4);
    assertThat(stats.getDroppedRequestsList())
        .extracting(drop -> drop.getCategory() + " " + drop.getDroppedCount())
        .containsExactly("lb 1", "throttle 2");
    reporting.advanceSeconds(10);
    assertThat(reporting.lastReport().getClusterStats(0).getTotalDroppedRequests()).isZero();
  }

  @Test
  void clustersWithAnotherServiceNameSaySo() {
    reporting.lease("c");
    reporting.reporter.lease(SERVER, "c", "svc");
    reporting.stream().respond(wantingAll(TEN));
    reporting.run();
    reporting.advanceSeconds(10);
    assertThat(reporting.lastReport().getClusterStatsList())
        .extracting(ClusterStats::getClusterServiceName)
        .containsExactly("", "svc");
  }

  @Test
  void eachServerHasAStreamOfItsOwn() {
    ServerConfig second = ServerConfig.insecure("lrs-2");
    reporting.lease("c");
    reporting.reporter.lease(second, "c", "");
    reporting.reporter.lease(second, "d", "");
    reporting.run();
    assertThat(reporting.transports).containsOnlyKeys(SERVER, second);
    assertThat(reporting.transports.values()).allMatch(transport -> transport.streams.size() == 1);
  }

  @Test
  void serverThatAsksForNoReportsGetsNone() {
    ClusterLoad load = reporting.lease("c");
    reporting.stream().respond(wantingAll(Duration.ZERO));
    reporting.run();
    Reporting.call(load, HERE, Status.OK);
    reporting.advanceSeconds(1000);
    assertThat(reporting.reports()).isEmpty();
    reporting.stream().respond(wantingAll(TEN));
    reporting.run();
    reporting.advanceSeconds(10);
    assertThat(LoadTotals.of("c", reporting.reports()).issued()).isEqualTo(1);
  }
}
