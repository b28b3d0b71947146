// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit;

import com.google.protobuf.util.Durations;
import io.envoyproxy.envoy.service.load_stats.v3.LoadReportingServiceGrpc.LoadReportingServiceImplBase;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsRequest;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsResponse;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;

/**
 * The load reporting service (LRS) of an xDS server that asks only for what a test tells it to ask
 * for. It can be a service of any gRPC server.
 */
public final class FakeLoadService extends LoadReportingServiceImplBase {
  private final Recorder<FakeStream<LoadStatsRequest, LoadStatsResponse>> streams =
      new Recorder<>("load reporting stream");

  /** The next stream that was not awaited yet. */
  public FakeStream<LoadStatsRequest, LoadStatsResponse> awaitStream() {
    return streams.next();
  }

  /** How many streams were ever opened. */
  public int streamCount() {
    return streams.all().size();
  }

  /** Asks for the loads of these clusters, as often as that. */
  public static LoadStatsResponse wanting(Duration interval, String... clusters) {
    return LoadStatsResponse.newBuilder()
        .setLoadReportingInterval(Durations.fromNanos(interval.toNanos()))
        .addAllClusters(List.of(clusters))
        .build();
  }

  /** Asks for the loads of all clusters, as often as that. */
  public static LoadStatsResponse wantingAll(Duration interval) {
    return wanting(interval).toBuilder().setSendAllClusters(true).build();
  }

  @Override
  public StreamObserver<LoadStatsRequest> streamLoadStats(
      StreamObserver<LoadStatsResponse> responses) {
    FakeStream<LoadStatsRequest, LoadStatsResponse> stream = new FakeStream<>(responses);
    streams.add(stream);
    return stream.inbound();
  }
}
