// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that one proxy refused. They are never sent to it again: some would be acknowledged the
 * second time without being applied, and the rest would be refused for ever.
 */
final class Rejections {
  /** More is kept for nobody: one who refuses that much runs something else than it says. */
  private static final int MOST = 10_000;

  private final Map<Key, Rejected> byVersion =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Rejected> eldest) {
          return size() > MOST;
        }
      };

  private long changes;

  private record Key(ResourceId id, String version) {}

  /** What was said of some bytes, and when. */
  record Rejected(String message, Instant at) {}

  void add(ResourceId id, String version, String message, Instant at) {
    changes++;
    byVersion.put(new Key(id, version), new Rejected(message, at));
  }

  void remove(ResourceId id, String version) {
    changes++;
    byVersion.remove(new Key(id, version));
  }

  /** What was said of a resource; null if it was never refused. */
  @Nullable Rejected of(Resource resource) {
    return byVersion.isEmpty() ? null : byVersion.get(new Key(resource.id(), resource.version()));
  }

  boolean contains(Resource resource) {
    return of(resource) != null;
  }

  boolean isEmpty() {
    return byVersion.isEmpty();
  }

  /** Zero until something is refused, then different after each change. */
  long fingerprint() {
    return byVersion.isEmpty() ? 0 : changes * 0x9E3779B97F4A7C15L + System.identityHashCode(this);
  }
}
