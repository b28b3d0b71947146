// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that one proxy refused. They are never sent to it again unless somebody asks for it:
 * some would be acknowledged the second time without being applied, and the rest would be refused
 * for ever.
 */
final class RejectedVersions {
  /** More is kept for nobody: one who refuses that much runs something else than it says. */
  private static final int MOST = 10_000;

  /** Shared while it is empty, as it is for nearly all proxies. */
  private Map<Key, Rejected> byVersion = Map.of();

  /** What the machine was not fit for; tried again sooner or later. Shared while it is empty. */
  private Map<ResourceId, Passing> passing = Map.of();

  private long changes;

  private record Key(ResourceId id, String version) {}

  private record Passing(String version, Rejected rejected) {}

  /**
   * What was said of some bytes, and when.
   *
   * @param passing whether it says something of the machine, not of the bytes
   */
  record Rejected(String message, Instant at, boolean passing) {}

  void add(ResourceId id, String version, String message, Instant at) {
    changes++;
    byVersion = byVersion.isEmpty() ? newestOnly() : byVersion;
    byVersion.put(new Key(id, version), new Rejected(message, at, /* passing= */ false));
  }

  private static Map<Key, Rejected> newestOnly() {
    return new LinkedHashMap<>() {
      @Override
      protected boolean removeEldestEntry(Map.Entry<Key, Rejected> eldest) {
        return size() > MOST;
      }
    };
  }

  /** The proxy cannot run it for now. */
  void addForNow(ResourceId id, String version, String message, Instant at) {
    changes++;
    passing = passing.isEmpty() ? new TreeMap<>() : passing;
    passing.put(id, new Passing(version, new Rejected(message, at, /* passing= */ true)));
  }

  /** What the proxy could not run may be tried again. */
  void pass(ResourceId id) {
    if (passing.containsKey(id)) {
      changes++;
      passing.remove(id);
    }
  }

  /** The proxy starts anew, perhaps on a machine that has changed. */
  void passAll() {
    changes += passing.size();
    passing = Map.of();
  }

  /** What the proxy cannot run for now, and why, by name. */
  SortedMap<ResourceId, String> passing() {
    SortedMap<ResourceId, String> all = new TreeMap<>();
    passing.forEach((id, entry) -> all.put(id, entry.rejected.message));
    return all;
  }

  /** Forgets the versions of a resource but for one; the result is what was forgotten. */
  List<String> forgive(ResourceId id, String but) {
    List<String> forgiven =
        byVersion.keySet().stream()
            .filter(key -> key.id.equals(id) && !key.version.equals(but))
            .map(Key::version)
            .toList();
    forgiven.forEach(version -> byVersion.remove(new Key(id, version)));
    changes += forgiven.size();
    return forgiven;
  }

  /** What was said of a resource; null if it was never refused. */
  @Nullable Rejected of(Resource resource) {
    Passing now = passing.get(resource.id());
    if (now != null && now.version.equals(resource.version())) {
      return now.rejected;
    }
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
    return byVersion.isEmpty() && passing.isEmpty()
        ? 0
        : changes * 0x9E3779B97F4A7C15L + System.identityHashCode(this);
  }
}
