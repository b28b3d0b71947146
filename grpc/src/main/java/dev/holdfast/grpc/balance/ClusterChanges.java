// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance;

import dev.holdfast.grpc.config.ClusterConfig;
import dev.holdfast.grpc.config.ClusterMap;
import io.grpc.StatusOr;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which clusters are not what they were one configuration earlier, found without looking at all of
 * them. An aggregate cluster is not what it was if one of its leaves is not.
 */
final class ClusterChanges {
  private Map<String, StatusOr<ClusterConfig>> clusters = Map.of();
  private final Map<String, List<String>> leavesOfAggregates = new HashMap<>();

  /** The clusters that came, went or changed, by ascending name. */
  NavigableSet<String> next(Map<String, StatusOr<ClusterConfig>> after) {
    NavigableSet<String> changed = new TreeSet<>();
    ClusterMap.diff(
        clusters,
        after,
        (name, was, is) -> {
          changed.add(name);
          List<String> leaves = leaves(is);
          if (leaves == null) {
            leavesOfAggregates.remove(name);
          } else {
            leavesOfAggregates.put(name, leaves);
          }
        });
    NavigableSet<String> all = new TreeSet<>(changed);
    leavesOfAggregates.forEach(
        (name, leaves) -> {
          if (leaves.stream().anyMatch(changed::contains)) {
            all.add(name);
          }
        });
    clusters = after;
    return all;
  }

  boolean hasAggregates() {
    return !leavesOfAggregates.isEmpty();
  }

  private static @Nullable List<String> leaves(@Nullable StatusOr<ClusterConfig> cluster) {
    return cluster != null
            && cluster.hasValue()
            && cluster.getValue().members() instanceof ClusterConfig.Aggregate aggregate
        ? aggregate.leaves()
        : null;
  }
}
