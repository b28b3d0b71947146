// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.load;

import io.envoyproxy.envoy.config.endpoint.v3.ClusterStats;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** The dropped calls of one cluster, counted and read like those of {@link LocalityLoad}. */
final class DropLoad {
  /** Calls that were dropped, but not because the server wanted some to be. */
  private static final String NO_CATEGORY = "";

  private final Map<String, LongAdder> drops = new ConcurrentHashMap<>();

  // The reader's.
  private Map<String, Long> reported = Map.of();
  private Map<String, Long> read = Map.of();

  void count(String category) {
    drops.computeIfAbsent(category, c -> new LongAdder()).increment();
  }

  void countWithoutCategory() {
    count(NO_CATEGORY);
  }

  /** Adds what there is to say since the last report that left. */
  void read(ClusterStats.Builder stats) {
    Map<String, Long> now = totals();
    long all = 0;
    for (Map.Entry<String, Long> drop : now.entrySet()) {
      long more = drop.getValue() - reported.getOrDefault(drop.getKey(), 0L);
      all += more;
      if (more > 0 && !drop.getKey().equals(NO_CATEGORY)) {
        stats.addDroppedRequests(
            ClusterStats.DroppedRequests.newBuilder()
                .setCategory(drop.getKey())
                .setDroppedCount(more));
      }
    }
    stats.setTotalDroppedRequests(all);
    read = now;
  }

  private Map<String, Long> totals() {
    Map<String, Long> totals = new TreeMap<>();
    drops.forEach((category, count) -> totals.put(category, count.sum()));
    return totals;
  }

  void sent() {
    reported = read;
  }

  boolean isDone() {
    return totals().equals(reported);
  }
}
