// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.proxy;

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
 * The versions of resources that one proxy rejected. Their bytes are not sent to the proxy again
 * unless an operator asks for it: Envoy would acknowledge some of them the second time without
 * applying them, and would reject the others for ever.
 */
public final class RejectedVersions {
  /** A proxy that rejects more than this does not run the program that it claims to run. */
  private static final int MAX = 10_000;

  /** Shared while it is empty, as it is for nearly all proxies. */
  private Map<Key, Reason> byVersion = Map.of();

  /** Versions with a local problem, which are retried. Shared while it is empty. */
  private Map<ResourceId, LocalProblem> localProblems = Map.of();

  private long changes;

  private record Key(ResourceId id, String version) {}

  private record LocalProblem(String version, Reason reason) {}

  /**
   * Why a proxy rejected a version, and when.
   *
   * @param local whether the problem is the proxy's machine, not the bytes
   */
  public record Reason(String message, Instant at, boolean local) {}

  public void add(ResourceId id, String version, String message, Instant at) {
    changes++;
    byVersion = byVersion.isEmpty() ? boundedMap() : byVersion;
    byVersion.put(new Key(id, version), new Reason(message, at, /* local= */ false));
  }

  private static Map<Key, Reason> boundedMap() {
    return new LinkedHashMap<>() {
      @Override
      protected boolean removeEldestEntry(Map.Entry<Key, Reason> eldest) {
        return size() > MAX;
      }
    };
  }

  /** The proxy cannot run a version because of a local problem. */
  public void addLocalProblem(ResourceId id, String version, String message, Instant at) {
    changes++;
    localProblems = localProblems.isEmpty() ? new TreeMap<>() : localProblems;
    localProblems.put(id, new LocalProblem(version, new Reason(message, at, /* local= */ true)));
  }

  /** A resource with a local problem may be sent again. */
  public void clearLocalProblem(ResourceId id) {
    if (localProblems.containsKey(id)) {
      changes++;
      localProblems.remove(id);
    }
  }

  /** The proxy disconnected; its machine may have changed when it is back. */
  public void clearLocalProblems() {
    changes += localProblems.size();
    localProblems = Map.of();
  }

  /** The resources with a local problem and the proxy's error texts. */
  public SortedMap<ResourceId, String> localProblems() {
    SortedMap<ResourceId, String> all = new TreeMap<>();
    localProblems.forEach((id, problem) -> all.put(id, problem.reason.message));
    return all;
  }

  /** Forgets all rejected versions of a resource but one; returns the forgotten versions. */
  public List<String> forgetExcept(ResourceId id, String kept) {
    List<String> forgotten =
        byVersion.keySet().stream()
            .filter(key -> key.id.equals(id) && !key.version.equals(kept))
            .map(Key::version)
            .toList();
    forgotten.forEach(version -> byVersion.remove(new Key(id, version)));
    changes += forgotten.size();
    return forgotten;
  }

  /** Why the proxy rejected this version of a resource; null if it did not. */
  public @Nullable Reason reason(Resource resource) {
    LocalProblem problem = localProblems.get(resource.id());
    if (problem != null && problem.version.equals(resource.version())) {
      return problem.reason;
    }
    return byVersion.isEmpty() ? null : byVersion.get(new Key(resource.id(), resource.version()));
  }

  public boolean contains(Resource resource) {
    return reason(resource) != null;
  }

  /** Whether the proxy rejected nothing; local problems do not count. */
  public boolean isEmpty() {
    return byVersion.isEmpty();
  }

  /** Zero while nothing is rejected, then different after each change. */
  public long fingerprint() {
    return byVersion.isEmpty() && localProblems.isEmpty()
        ? 0
        : changes * 0x9E3779B97F4A7C15L + System.identityHashCode(this);
  }
}
