// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import dev.holdfast.base.PersistentMap;
import io.grpc.StatusOr;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The clusters of one configuration, by name. Two of them share what is the same in both, so that
 * {@link #diff} costs what is different.
 */
public final class ClusterMap extends AbstractMap<String, StatusOr<ClusterConfig>> {
  private final PersistentMap<String, StatusOr<ClusterConfig>> clusters;

  ClusterMap(PersistentMap<String, StatusOr<ClusterConfig>> clusters) {
    this.clusters = clusters;
  }

  /** What is different between two maps of clusters, by ascending name. */
  public static void diff(
      Map<String, StatusOr<ClusterConfig>> before,
      Map<String, StatusOr<ClusterConfig>> after,
      PersistentMap.Difference<String, StatusOr<ClusterConfig>> difference) {
    PersistentMap.diff(persistent(before), persistent(after), difference);
  }

  private static PersistentMap<String, StatusOr<ClusterConfig>> persistent(
      Map<String, StatusOr<ClusterConfig>> map) {
    return map instanceof ClusterMap clusters ? clusters.clusters : PersistentMap.copyOf(map);
  }

  @Override
  public @Nullable StatusOr<ClusterConfig> get(@Nullable Object key) {
    return key instanceof String name ? clusters.get(name) : null;
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return get(key) != null;
  }

  @Override
  public int size() {
    return clusters.size();
  }

  @Override
  public Set<Map.Entry<String, StatusOr<ClusterConfig>>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Map.Entry<String, StatusOr<ClusterConfig>>> iterator() {
        return clusters.iterator();
      }

      @Override
      public int size() {
        return clusters.size();
      }
    };
  }
}
