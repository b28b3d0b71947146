// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import dev.holdfast.grpc.load.ClusterLoad;
import dev.holdfast.grpc.load.LoadReports;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.resources.cluster.Cluster;
import dev.holdfast.xds.resources.cluster.Discovery;
import dev.holdfast.xds.resources.cluster.LoadReporting;
import dev.holdfast.xds.resources.cluster.ReportedMetrics;
import dev.holdfast.xds.resources.endpoint.Locality;
import io.grpc.Attributes;
import io.grpc.ClientStreamTracer;
import org.jspecify.annotations.Nullable;

/** Has the calls of a cluster counted for as long as it asks for it, and lives. */
final class LeafLoads {
  private static final Locality NOWHERE = new Locality("", "", "");

  private final LoadReports reports;

  // In the synchronization context.
  private @Nullable Leased leased;

  private record Leased(ServerConfig server, String cluster, String service, ClusterLoad load) {}

  LeafLoads(LoadReports reports) {
    this.reports = reports;
  }

  /** Where the calls of the cluster are counted; null if no server wants to know. */
  @Nullable Counts of(Cluster cluster) {
    LoadReporting wanted = cluster.loadReporting();
    if (wanted == null || !(wanted.server() instanceof ServerConfig server)) {
      close();
      return null;
    }
    String service = service(cluster);
    Leased before = leased;
    if (before == null
        || !before.server.equals(server)
        || !before.cluster.equals(cluster.name())
        || !before.service.equals(service)) {
      leased =
          new Leased(
              server, cluster.name(), service, reports.lease(server, cluster.name(), service));
      release(before);
    }
    return leased == null ? null : new Counts(leased.load, wanted.metrics());
  }

  /** The name of its endpoints where that is another one. */
  private static String service(Cluster cluster) {
    return cluster.discovery() instanceof Discovery.Eds eds
            && !eds.serviceName().equals(cluster.name())
        ? eds.serviceName()
        : "";
  }

  void close() {
    Leased before = leased;
    leased = null;
    release(before);
  }

  private static void release(@Nullable Leased before) {
    if (before != null) {
      before.load.release();
    }
  }

  /** What pickers count with. */
  record Counts(ClusterLoad load, ReportedMetrics metrics) {

    /**
     * @param endpoint its attributes; null if they are not known
     */
    ClientStreamTracer.Factory counting(
        @Nullable Attributes endpoint, ClientStreamTracer.@Nullable Factory other) {
      Locality locality = endpoint == null ? null : endpoint.get(EndpointAttributes.LOCALITY);
      return load.counting(locality == null ? NOWHERE : locality, metrics, other);
    }
  }
}
