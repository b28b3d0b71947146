// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import static dev.holdfast.grpc.balance.kit.Clusters.assignment;
import static dev.holdfast.grpc.balance.kit.Clusters.cluster;
import static dev.holdfast.grpc.balance.kit.Clusters.leaf;
import static dev.holdfast.grpc.balance.kit.Clusters.locality;
import static dev.holdfast.grpc.balance.kit.Clusters.withDrops;
import static dev.holdfast.testkit.FakeLoadService.wantingAll;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.xds.data.orca.v3.OrcaLoadReport;
import dev.holdfast.grpc.balance.kit.FakeCall;
import dev.holdfast.grpc.load.Reporting;
import dev.holdfast.testkit.LoadTotals;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.resources.cluster.Cluster;
import dev.holdfast.xds.resources.cluster.LbPolicy;
import dev.holdfast.xds.resources.cluster.LoadReporting;
import dev.holdfast.xds.resources.cluster.ReportedMetrics;
import dev.holdfast.xds.resources.endpoint.DropOverload;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterStats;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What a cluster's calls are counted as, and for whom. */
class LeafLoadsTest {
  private static final ReportedMetrics QUEUE =
      new ReportedMetrics(false, false, false, false, new TreeSet<>(List.of("queue")));
  private static final LbPolicy WEIGHTED =
      new LbPolicy.WrrLocality(
          new LbPolicy.ClientSideWeightedRoundRobin(
              false,
              Duration.ofSeconds(10),
              Duration.ZERO,
              Duration.ofMinutes(3),
              Duration.ofSeconds(1),
              1,
              List.of()));

  private final Reporting reporting = new Reporting();
  private final Leaf leaf = new Leaf(reporting.reporter);

  private static Cluster reported(Cluster cluster, ServerConfig server, ReportedMetrics metrics) {
    return new Cluster(
        cluster.name(),
        cluster.discovery(),
        cluster.lbPolicy(),
        cluster.maxRequests(),
        new LoadReporting(server, metrics),
        cluster.tls(),
        cluster.outlierDetection());
  }

  private static Cluster reported(LbPolicy policy, long maxRequests) {
    return reported(
        cluster("c", policy, maxRequests, null), Reporting.SERVER, ReportedMetrics.NONE);
  }

  private void ask() {
    reporting.run();
    reporting.stream().respond(wantingAll(Duration.ofSeconds(10)));
    reporting.run();
  }

  private ClusterStats report() {
    reporting.advance(Duration.ofSeconds(10));
    return reporting.lastReport().getClusterStats(0);
  }

  @Test
  void callsAreThoseOfTheLocalityOfTheirEndpoint() {
    leaf.give(leaf(reported(LbPolicy.DEFAULT, 100), assignment(locality("a", 0, 1))));
    leaf.connectAll();
    ask();
    FakeCall.begin(leaf.channel.pick(Leaf.call())).streamClosed(Status.OK);
    ClusterStats stats = report();
    assertThat(stats.getClusterServiceName()).isEqualTo("c-eds");
    assertThat(stats.getUpstreamLocalityStatsList())
        .extracting(one -> one.getLocality().getZone() + " " + one.getTotalSuccessfulRequests())
        .containsExactly("a 1");
  }

  @Test
  void dropsAndCallsBeyondTheLimitAreCounted() {
    leaf.give(leaf(reported(LbPolicy.DEFAULT, 0), assignment(1)));
    leaf.connectAll();
    ask();
    assertThat(leaf.channel.pick(Leaf.call()).isDrop()).isTrue();
    leaf.give(
        leaf(
            reported(LbPolicy.DEFAULT, 100),
            withDrops(assignment(1), new DropOverload("circuit_breaker", 1_000_000))));
    assertThat(leaf.channel.pick(Leaf.call()).isDrop()).isTrue();
    ClusterStats stats = report();
    assertThat(stats.getTotalDroppedRequests()).isEqualTo(2);
    assertThat(stats.getDroppedRequestsList())
        .extracting(drop -> drop.getCategory() + " " + drop.getDroppedCount())
        .containsExactly("circuit_breaker 1");
  }

  @Test
  void anotherServerGetsWhatComesAfterTheChange() {
    ServerConfig fallback = ServerConfig.insecure("lrs-2");
    leaf.give(leaf(reported(LbPolicy.DEFAULT, 100), assignment(1)));
    leaf.connectAll();
    ask();
    FakeCall.begin(leaf.channel.pick(Leaf.call())).streamClosed(Status.OK);
    leaf.give(leaf(reported(cluster("c"), fallback, ReportedMetrics.NONE), assignment(1)));
    FakeCall.begin(leaf.channel.pick(Leaf.call())).streamClosed(Status.INTERNAL);
    reporting.run();
    assertThat(reporting.transports).containsOnlyKeys(Reporting.SERVER, fallback);
    reporting.advance(Duration.ofSeconds(10));
    assertThat(LoadTotals.of("c", reporting.reports())).isEqualTo(new LoadTotals(1, 1, 0, 0, 0));
    reporting.advance(Duration.ofSeconds(20));
    assertThat(reporting.transport().closed).as("the first has heard everything").isTrue();
  }

  @Test
  void reportsOfEndpointsServeWeightsAndLoadsAlike() {
    leaf.give(
        leaf(
            reported(cluster("c", WEIGHTED), Reporting.SERVER, QUEUE),
            assignment(locality("a", 0, 1, 2))));
    leaf.connectAll();
    ask();
    for (int i = 0; i < 10; i++) {
      ClientStreamTracer tracer = FakeCall.begin(leaf.channel.pick(Leaf.call()));
      Metadata trailers = new Metadata();
      trailers.put(
          Metadata.Key.of("endpoint-load-metrics-bin", Metadata.BINARY_BYTE_MARSHALLER),
          OrcaLoadReport.newBuilder()
              .setRpsFractional(100)
              .setCpuUtilization(0.5)
              .putNamedMetrics("queue", 2)
              .build()
              .toByteArray());
      tracer.inboundTrailers(trailers);
      tracer.streamClosed(Status.OK);
    }
    leaf.channel.advance(Duration.ofSeconds(1));
    assertThat(leaf.channel.measured().keySet())
        .anyMatch(
            name -> name.startsWith("grpc.lb.wrr.endpoint_weights") && name.contains("zone=\"a\""));
    ClusterStats stats = report();
    assertThat(stats.getUpstreamLocalityStats(0).getLocality().getZone()).isEqualTo("a");
    assertThat(stats.getUpstreamLocalityStats(0).getLoadMetricStats(0).getTotalMetricValue())
        .isEqualTo(20);
  }

  @Test
  void nothingIsCountedForAClusterThatDoesNotAsk() {
    leaf.give(leaf(cluster("c"), assignment(1)));
    leaf.connectAll();
    FakeCall.begin(leaf.channel.pick(Leaf.call())).streamClosed(Status.OK);
    reporting.run();
    assertThat(reporting.transports).isEmpty();
  }

  @Test
  void balancerThatIsShutDownLetsGo() {
    leaf.give(leaf(reported(LbPolicy.DEFAULT, 100), assignment(1)));
    ask();
    leaf.channel.run(leaf.balancer::shutdown);
    reporting.run();
    reporting.advance(Duration.ofSeconds(30));
    assertThat(reporting.transport().closed).isTrue();
    assertThat(reporting.time.pending()).isEmpty();
  }
}
