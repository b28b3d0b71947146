// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import static dev.holdfast.testkit.FakeLoadService.wantingAll;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.FakeStream;
import dev.holdfast.testkit.LoadTotals;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.TypeUrls;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterStats;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsRequest;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsResponse;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Load reports of a real channel to a real server. */
class ChannelLoadReportsTest {
  private static final Duration OFTEN = Duration.ofMillis(200);
  private static final int CALLS = 10_000;

  private final Mesh mesh = new Mesh();
  private final Backend one = new Backend("one");
  private final Backend two = new Backend("two");

  @AfterEach
  void close() {
    mesh.close();
    one.close();
    two.close();
  }

  private static Cluster reporting(String more) {
    Cluster.Builder cluster = Resources.edsCluster("c").toBuilder();
    return Resources.read("{\"lrs_server\": {\"self\": {}}" + more + "}", cluster).build();
  }

  private FakeStream<DiscoveryRequest, DiscoveryResponse> serve(
      Cluster cluster, ClusterLoadAssignment endpoints) {
    FakeStream<DiscoveryRequest, DiscoveryResponse> stream = mesh.awaitStream();
    mesh.serve(stream, "svc", Resources.apiListener("svc", "r"));
    mesh.serve(stream, "r", Resources.routesTo("r", "c"));
    mesh.serve(stream, "c", cluster);
    mesh.serve(stream, "c", endpoints);
    return stream;
  }

  /** What became of calls, as the application saw it. */
  private static final class Outcomes {
    final AtomicLong succeeded = new AtomicLong();
    final AtomicLong failed = new AtomicLong();
    final AtomicLong droppedByCategory = new AtomicLong();
    final AtomicLong droppedByLimit = new AtomicLong();

    void count(Throwable error) {
      String text = String.valueOf(Status.fromThrowable(error).getDescription());
      if (text.contains("call dropped by category \"lb\"")) {
        droppedByCategory.incrementAndGet();
      } else if (text.contains("calls under way")) {
        droppedByLimit.incrementAndGet();
      } else {
        failed.incrementAndGet();
      }
    }
  }

  @Test
  void l11NumbersAreExactThroughFailuresDropsAndBrokenStreams() throws Exception {
    ManagedChannel channel = mesh.channel();
    ClusterLoadAssignment endpoints =
        Resources.clusterLoadAssignment(
            """
            {"cluster_name": "c",
             "policy": {"drop_overloads": [
               {"category": "lb", "drop_percentage": {"numerator": 10}}]},
             "endpoints": [
              {"locality": {"zone": "a"}, "load_balancing_weight": 1, "lb_endpoints": [
                {"endpoint": {"address": {"socket_address":
                  {"address": "127.0.0.1", "port_value": %d}}}}]},
              {"locality": {"zone": "b"}, "load_balancing_weight": 1, "lb_endpoints": [
                {"endpoint": {"address": {"socket_address":
                  {"address": "127.0.0.1", "port_value": %d}}}}]}]}
            """
                .formatted(one.port(), two.port()));
    serve(
        reporting(", \"circuit_breakers\": {\"thresholds\": [{\"max_requests\": 40}]}"), endpoints);
    for (int i = 0; i < 500; i++) {
      one.failNext(Status.INTERNAL);
      two.failNext(Status.UNAVAILABLE);
    }
    List<FakeStream<LoadStatsRequest, LoadStatsResponse>> streams = new ArrayList<>();
    streams.add(mesh.loads.awaitStream());
    streams.get(0).send(wantingAll(OFTEN));

    Outcomes outcomes = new Outcomes();
    Semaphore concurrent = new Semaphore(48);
    List<CompletableFuture<String>> ends = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      if (i == CALLS / 2) { // right after a report, so that none is on its way
        FakeStream<LoadStatsRequest, LoadStatsResponse> broken = streams.get(0);
        int seen = broken.requests().size();
        broken.awaitRequests(requests -> requests.size() > seen);
        broken.close(Status.UNAVAILABLE);
        streams.add(mesh.loads.awaitStream());
        streams.get(1).send(wantingAll(OFTEN));
      }
      concurrent.acquire();
      CompletableFuture<String> answer =
          Mesh.start(channel, "S/M", CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS));
      ends.add(
          answer.whenComplete(
              (ok, error) -> {
                if (error == null) {
                  outcomes.succeeded.incrementAndGet();
                } else {
                  outcomes.count(error);
                }
                concurrent.release();
              }));
    }
    concurrent.acquire(48);
    assertThat(ends).hasSize(CALLS);
    FakeStream<LoadStatsRequest, LoadStatsResponse> last = streams.get(1);
    int seen = last.requests().size();
    last.awaitRequests(requests -> requests.size() > seen + 1);

    List<LoadStatsRequest> reports = new ArrayList<>();
    streams.forEach(stream -> reports.addAll(stream.requests()));
    long dropped = outcomes.droppedByCategory.get() + outcomes.droppedByLimit.get();
    assertThat(LoadTotals.of("c", reports))
        .isEqualTo(
            new LoadTotals(
                CALLS - dropped, outcomes.succeeded.get(), outcomes.failed.get(), 0, dropped));
    assertThat(LoadTotals.drops("c", reports))
        .containsOnlyKeys("lb")
        .containsEntry("lb", outcomes.droppedByCategory.get());
    assertThat(outcomes.failed.get()).isEqualTo(1000);
    assertThat(outcomes.droppedByCategory.get()).isPositive();
    assertThat(reports.stream().flatMap(report -> report.getClusterStatsList().stream()))
        .flatExtracting(ClusterStats::getUpstreamLocalityStatsList)
        .extracting(locality -> locality.getLocality().getZone())
        .contains("a", "b");
  }

  @Test
  void clustersThatDoNotAskForReportsOpenNoStream() {
    ManagedChannel channel = mesh.channel();
    serve(Resources.edsCluster("c"), Resources.endpoints("c", one.port()));
    assertThat(Mesh.call(channel, "S/M")).isEqualTo("one");
    assertThat(mesh.loads.streamCount()).isZero();
  }

  @Test
  void clusterThatBeginsAndCeasesToAskIsReportedMeanwhile() {
    ManagedChannel channel = mesh.channel();
    FakeStream<DiscoveryRequest, DiscoveryResponse> ads =
        serve(Resources.edsCluster("c"), Resources.endpoints("c", one.port()));
    assertThat(Mesh.call(channel, "S/M")).isEqualTo("one");
    mesh.send(ads, TypeUrls.CLUSTER, reporting(""));
    FakeStream<LoadStatsRequest, LoadStatsResponse> stream = mesh.loads.awaitStream();
    stream.send(wantingAll(OFTEN));
    do { // the stream may be there a moment before the picker that counts
      assertThat(Mesh.call(channel, "S/M")).isEqualTo("one");
      int seen = stream.requests().size();
      stream.awaitRequests(requests -> requests.size() > seen + 1);
    } while (LoadTotals.of("c", stream.requests()).issued() == 0);
    for (int i = 0; i < 6; i++) {
      assertThat(Mesh.call(channel, "S/M")).isEqualTo("one");
    }
    mesh.send(ads, TypeUrls.CLUSTER, Resources.edsCluster("c"));
    assertThat(stream.awaitEnd()).isEqualTo("cancelled");
    assertThat(LoadTotals.of("c", stream.requests())).isEqualTo(new LoadTotals(7, 7, 0, 0, 0));
  }

  @Test
  void streamEndsWithTheChannel() {
    ManagedChannel channel = mesh.channel();
    serve(reporting(""), Resources.endpoints("c", one.port()));
    FakeStream<LoadStatsRequest, LoadStatsResponse> stream = mesh.loads.awaitStream();
    stream.send(wantingAll(OFTEN));
    assertThat(Mesh.call(channel, "S/M")).isEqualTo("one");
    channel.shutdownNow();
    assertThat(stream.awaitEnd()).isEqualTo("cancelled");
  }
}
