// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import dev.holdfast.grpc.balance.policy.Outstanding;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many calls each cluster has under way, over all channels that share this (gRFC A32). A count
 * lives as long as a balancer or a call holds it: a channel that is made anew while old calls go on
 * finds them counted.
 */
public final class CircuitBreakers {
  private final Map<Key, Entry> entries = new HashMap<>();
  private final ReferenceQueue<Outstanding> unused = new ReferenceQueue<>();

  private record Key(String cluster, String service) {}

  private static final class Entry extends WeakReference<Outstanding> {
    final Key key;

    Entry(Key key, Outstanding calls, ReferenceQueue<Outstanding> queue) {
      super(calls, queue);
      this.key = key;
    }
  }

  /**
   * The calls of a cluster.
   *
   * @param service the name that its endpoints are asked for by, or that DNS resolves
   */
  synchronized Outstanding callsOf(String cluster, String service) {
    removeUnused();
    Key key = new Key(cluster, service);
    Entry entry = entries.get(key);
    Outstanding calls = entry == null ? null : entry.get();
    if (calls == null) {
      calls = new Outstanding();
      entries.put(key, new Entry(key, calls, unused));
    }
    return calls;
  }

  private void removeUnused() {
    for (@Nullable Reference<? extends Outstanding> gone = unused.poll();
        gone != null;
        gone = unused.poll()) {
      if (gone instanceof Entry entry) {
        entries.remove(entry.key, entry);
      }
    }
  }
}
