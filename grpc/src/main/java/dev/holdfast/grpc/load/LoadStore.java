// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.load;

import io.envoyproxy.envoy.config.endpoint.v3.ClusterStats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The counts of all clusters that one server wants to know. Those of a cluster that is no longer
 * used stay until their last numbers have left. Thread-safe.
 */
final class LoadStore {
  /** How many clusters that are no longer used wait for a server that cannot be reached. */
  static final int MAX_UNUSED = 1000;

  private final LongSupplier clock;
  private final Runnable onRelease;

  // Guarded by this.
  private final Map<Key, Held> clusters = new LinkedHashMap<>();
  private List<Held> read = List.of();

  private record Key(String cluster, String service) {}

  private static final class Held {
    final Key key;
    final ClusterLoad load;
    int leases;
    boolean unusedBefore;

    Held(Key key, ClusterLoad load) {
      this.key = key;
      this.load = load;
    }
  }

  /**
   * @param onRelease hears when a cluster is no longer used
   */
  LoadStore(LongSupplier clock, Runnable onRelease) {
    this.clock = clock;
    this.onRelease = onRelease;
  }

  synchronized ClusterLoad lease(String cluster, String service) {
    Key key = new Key(cluster, service);
    Held held = clusters.get(key);
    if (held == null) {
      held =
          new Held(key, new ClusterLoad(cluster, service, clock.getAsLong(), () -> release(key)));
      clusters.put(key, held);
    }
    held.leases++;
    return held.load;
  }

  private void release(Key key) {
    synchronized (this) {
      Held held = clusters.get(key);
      if (held == null) {
        return;
      }
      held.leases--;
      if (held.leases > 0) {
        return;
      }
      // The last to be given up is the last to be forgotten.
      clusters.remove(key);
      clusters.put(key, held);
      forgetOldest();
    }
    onRelease.run();
  }

  private void forgetOldest() {
    long unused = clusters.values().stream().filter(held -> held.leases == 0).count();
    Iterator<Held> all = clusters.values().iterator();
    while (unused > MAX_UNUSED && all.hasNext()) {
      if (all.next().leases == 0) {
        all.remove();
        unused--;
      }
    }
  }

  /**
   * All since the last report that left, by ascending name; {@link #sent} or {@link #notSent} has
   * to follow. What is not wanted goes on being counted for as long as it is used.
   */
  synchronized List<ClusterStats> read(Predicate<String> wanted) {
    clusters.values().removeIf(held -> held.leases == 0 && !wanted.test(held.key.cluster));
    // A call that was on its way to an endpoint when the cluster went has begun by now.
    clusters.values().removeIf(held -> held.unusedBefore && held.leases == 0 && held.load.isDone());
    List<Held> now = new ArrayList<>();
    for (Held held : clusters.values()) {
      held.unusedBefore = held.leases == 0;
      if (wanted.test(held.key.cluster)) {
        now.add(held);
      }
    }
    now.sort(
        Comparator.comparing((Held held) -> held.key.cluster)
            .thenComparing(held -> held.key.service));
    read = now;
    long at = clock.getAsLong();
    return now.stream().map(held -> held.load.read(at)).toList();
  }

  synchronized void sent() {
    read.forEach(held -> held.load.sent());
    read = List.of();
  }

  synchronized void notSent() {
    read.forEach(held -> held.load.notSent());
    read = List.of();
  }

  /** Forgets the numbers of clusters that are not used. */
  synchronized void forgetUnused() {
    clusters.values().removeIf(held -> held.leases == 0);
  }

  /** Whether there is nothing to report, now or later. */
  synchronized boolean isDone() {
    return clusters.values().stream().allMatch(held -> held.leases == 0 && held.load.isDone());
  }
}
