// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit;

import io.envoyproxy.envoy.config.endpoint.v3.ClusterStats;
import io.envoyproxy.envoy.config.endpoint.v3.UpstreamLocalityStats;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsRequest;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a server knows after some reports.
 *
 * @param underWay of the newest report that speaks of it
 */
public record LoadTotals(long issued, long succeeded, long failed, long underWay, long dropped) {

  /** Of one cluster, over all of its localities. */
  public static LoadTotals of(String cluster, Collection<LoadStatsRequest> reports) {
    long issued = 0;
    long succeeded = 0;
    long failed = 0;
    long dropped = 0;
    Map<String, Long> underWay = new TreeMap<>();
    for (LoadStatsRequest report : reports) {
      for (ClusterStats stats : report.getClusterStatsList()) {
        if (!stats.getClusterName().equals(cluster)) {
          continue;
        }
        dropped += stats.getTotalDroppedRequests();
        underWay.replaceAll((locality, count) -> 0L); // what is not spoken of is not under way
        for (UpstreamLocalityStats locality : stats.getUpstreamLocalityStatsList()) {
          issued += locality.getTotalIssuedRequests();
          succeeded += locality.getTotalSuccessfulRequests();
          failed += locality.getTotalErrorRequests();
          underWay.put(locality.getLocality().toString(), locality.getTotalRequestsInProgress());
        }
      }
    }
    return new LoadTotals(
        issued,
        succeeded,
        failed,
        underWay.values().stream().mapToLong(Long::longValue).sum(),
        dropped);
  }

  /** The drops of one cluster by category. */
  public static Map<String, Long> drops(String cluster, Collection<LoadStatsRequest> reports) {
    Map<String, Long> drops = new TreeMap<>();
    for (LoadStatsRequest report : reports) {
      for (ClusterStats stats : report.getClusterStatsList()) {
        if (stats.getClusterName().equals(cluster)) {
          stats
              .getDroppedRequestsList()
              .forEach(drop -> drops.merge(drop.getCategory(), drop.getDroppedCount(), Long::sum));
        }
      }
    }
    return drops;
  }
}
