// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.load;

import com.google.protobuf.Duration;
import dev.holdfast.xds.resources.cluster.ReportedMetrics;
import dev.holdfast.xds.resources.endpoint.Locality;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterStats;
import io.envoyproxy.envoy.config.endpoint.v3.UpstreamLocalityStats;
import io.grpc.ClientStreamTracer;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The calls and drops of one cluster. Counting is for any thread, reading for one at a time. */
public final class ClusterLoad {
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private static final Comparator<Locality> ORDER =
      Comparator.comparing(Locality::region)
          .thenComparing(Locality::zone)
          .thenComparing(Locality::subZone);

  private final String cluster;
  private final String service;
  private final Runnable onRelease;
  private final DropLoad drops = new DropLoad();
  private final Map<Locality, LocalityLoad> localities = new ConcurrentHashMap<>();

  // The reader's.
  private long reportedAt;
  private long readAt;

  /** One that nobody reads. */
  ClusterLoad(String cluster, String service, long now) {
    this(cluster, service, now, () -> {});
  }

  /**
   * @param onRelease hears of each release
   */
  ClusterLoad(String cluster, String service, long now, Runnable onRelease) {
    this.cluster = cluster;
    this.service = service;
    this.onRelease = onRelease;
    reportedAt = now;
  }

  String cluster() {
    return cluster;
  }

  /** A call was dropped because the server wants some of this category to be. */
  public void dropped(String category) {
    drops.count(category);
  }

  /** A call was dropped for another reason. */
  public void dropped() {
    drops.countWithoutCategory();
  }

  /**
   * Counts the streams that it sees as calls of a locality.
   *
   * @param metrics which metrics of endpoints are counted, too
   * @param other who else traces the streams
   */
  public ClientStreamTracer.Factory counting(
      Locality locality, ReportedMetrics metrics, ClientStreamTracer.@Nullable Factory other) {
    LocalityLoad load = localities.get(locality);
    if (load == null) {
      load = localities.computeIfAbsent(locality, LocalityLoad::new);
    }
    return load.counting(metrics, other);
  }

  /** Once for each lease: its holder will pick no more endpoints. Calls under way still count. */
  public void release() {
    onRelease.run();
  }

  /** All since the last report that left; {@link #sent} or {@link #notSent} has to follow. */
  ClusterStats read(long now) {
    readAt = now;
    long nanos = Math.max(0, now - reportedAt);
    ClusterStats.Builder stats =
        ClusterStats.newBuilder()
            .setClusterName(cluster)
            .setClusterServiceName(service)
            .setLoadReportInterval(
                Duration.newBuilder()
                    .setSeconds(nanos / NANOS_PER_SECOND)
                    .setNanos((int) (nanos % NANOS_PER_SECOND)));
    drops.read(stats);
    // In a defined order, as all that reaches the wire.
    for (Locality locality : List.copyOf(localities.keySet()).stream().sorted(ORDER).toList()) {
      LocalityLoad load = localities.get(locality);
      UpstreamLocalityStats more = load == null ? null : load.read();
      if (more != null) {
        stats.addUpstreamLocalityStats(more);
      }
    }
    return stats.build();
  }

  void sent() {
    reportedAt = readAt;
    drops.sent();
    localities.values().forEach(LocalityLoad::sent);
  }

  void notSent() {
    localities.values().forEach(LocalityLoad::notSent);
  }

  /** Whether all was said, and nothing is under way. */
  boolean isDone() {
    return drops.isDone() && localities.values().stream().allMatch(LocalityLoad::isDone);
  }
}
