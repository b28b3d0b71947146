// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.proxy;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The versions of resources that one proxy rejected. Their bytes are not sent to the proxy again
 * unless an operator asks for it: Envoy would acknowledge some of them the second time without
 * applying them, and would reject the others for ever.
 */
public final class RejectedVersions {
  /** A proxy that rejects more than this does not run the program that it claims to run. */
  private static final int MAX = 10_000;

  /** The bytes of an entry without its text. */
  private static final long OVERHEAD = 200;

  /** Shared while it is empty, as it is for nearly all proxies. */
  private Map<Key, Reason> byVersion = Map.of();

  /** Versions with a local problem, which are retried. Shared while it is empty. */
  private Map<ResourceId, LocalProblem> localProblems = Map.of();

  /** Removals that the proxy refused. Shared while it is empty. */
  private Map<ResourceId, RefusedRemoval> removals = Map.of();

  /** Those of {@link #byVersion} that are older than the connection. Shared while it is empty. */
  private Set<Key> inherited = Set.of();

  private long changes;
  private long weight;
  private final LongConsumer onWeight;
  private @Nullable Snapshot keyView;
  private long keyChanges = -1;
  private List<Object> key = List.of();

  RejectedVersions(LongConsumer onWeight) {
    this.onWeight = onWeight;
  }

  /** A version of a resource. */
  public record Key(ResourceId id, String version) {}

  private record LocalProblem(String version, Reason reason) {}

  /**
   * Why a proxy rejected a version, and when.
   *
   * @param local whether the problem is the proxy's machine, not the bytes
   */
  public record Reason(String message, Instant at, boolean local) {}

  public void add(ResourceId id, String version, String message, Instant at) {
    changes++;
    byVersion = byVersion.isEmpty() ? new LinkedHashMap<>() : byVersion;
    Reason reason = new Reason(message, at, /* local= */ false);
    Key key = new Key(id, version);
    Reason before = byVersion.put(key, reason);
    if (!inherited.isEmpty()) {
      inherited.remove(key);
    }
    weigh(weight(reason) - (before == null ? 0 : weight(before)));
    if (byVersion.size() > MAX) {
      forgetEldest(1);
    }
  }

  private static long weight(Reason reason) {
    return OVERHEAD + reason.message.length();
  }

  private void weigh(long change) {
    weight += change;
    onWeight.accept(change);
  }

  /** About how many bytes these rejections take. */
  long weight() {
    return weight;
  }

  /** Forgets half of the rejections, the eldest. */
  void forgetHalf() {
    forgetEldest((byVersion.size() + 1) / 2);
  }

  private void forgetEldest(int count) {
    Iterator<Reason> eldest = byVersion.values().iterator();
    for (int i = 0; i < count && eldest.hasNext(); i++) {
      long gone = weight(eldest.next());
      eldest.remove();
      weigh(-gone);
    }
    changes++;
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

  /**
   * A removal that the proxy refused: it keeps the resource.
   *
   * @param message the proxy's error text without sensitive values
   * @param held how many resources of the type the proxy held then
   */
  public record RefusedRemoval(String message, Instant at, int held) {}

  /** The proxy refused to give up a resource. The removal is not sent again without a change. */
  public void addRemoval(ResourceId id, RefusedRemoval removal) {
    removals = removals.isEmpty() ? new BoundedMap<>(MAX) : removals;
    removals.put(id, removal);
  }

  public boolean refusesRemoval(ResourceId id) {
    return removals.containsKey(id);
  }

  /** The resource is served again, so that a later removal is another one. */
  public void clearRemoval(ResourceId id) {
    if (removals.containsKey(id)) {
      removals.remove(id);
    }
  }

  /**
   * The proxy holds more resources of a type than when it refused some removals, and may accept
   * them now: forgets them, and returns the names.
   */
  public List<String> removalsWorthATry(ResourceType type, int held) {
    if (removals.isEmpty()) {
      return List.of();
    }
    List<ResourceId> found = new ArrayList<>();
    removals.forEach(
        (id, removal) -> {
          if (id.type() == type && held > removal.held) {
            found.add(id);
          }
        });
    found.forEach(removals::remove);
    return found.stream().map(ResourceId::name).toList();
  }

  /** The refused removals of a type, by name. */
  public SortedMap<String, RefusedRemoval> removals(ResourceType type) {
    SortedMap<String, RefusedRemoval> all = new TreeMap<>();
    removals.forEach(
        (id, removal) -> {
          if (id.type() == type) {
            all.put(id.name(), removal);
          }
        });
    return all;
  }

  /** The proxy connects: what it rejected until now may have been rejected by another process. */
  public void connected() {
    inherited = byVersion.isEmpty() ? Set.of() : new LinkedHashSet<>(byVersion.keySet());
  }

  /** Takes out what was rejected before the proxy connected. */
  public Map<Key, Reason> takeInherited() {
    Map<Key, Reason> taken = new LinkedHashMap<>();
    for (Key each : inherited) {
      Reason reason = byVersion.get(each);
      if (reason != null) {
        taken.put(each, reason);
      }
    }
    forget(taken.keySet());
    inherited = Set.of();
    return taken;
  }

  /** Adds what the same process is known to have rejected earlier. */
  void addAll(RejectedVersions earlier) {
    earlier.byVersion.forEach((key, reason) -> add(key.id, key.version, reason.message, reason.at));
  }

  /** All rejected versions. */
  public Collection<Key> versions() {
    return Collections.unmodifiableSet(byVersion.keySet());
  }

  /** Forgets some rejected versions; returns those that there were. */
  public List<Key> forget(Collection<Key> versions) {
    List<Key> forgotten = versions.stream().filter(byVersion::containsKey).toList();
    for (Key version : forgotten) {
      Reason gone = byVersion.remove(version);
      weigh(gone == null ? 0 : -weight(gone));
    }
    changes += forgotten.size();
    return forgotten;
  }

  /** Forgets all rejected versions of a resource but one; returns the forgotten versions. */
  public List<String> forgetExcept(ResourceId id, String kept) {
    List<String> forgotten =
        byVersion.keySet().stream()
            .filter(key -> key.id.equals(id) && !key.version.equals(kept))
            .map(Key::version)
            .toList();
    for (String version : forgotten) {
      Reason gone = byVersion.remove(new Key(id, version));
      weigh(gone == null ? 0 : -weight(gone));
    }
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

  /** Whether there is nothing to remember of a proxy that disconnects. */
  boolean isForgettable() {
    return byVersion.isEmpty() && removals.isEmpty();
  }

  /**
   * What is rejected of a snapshot, and why: equal for proxies that reject the same. Computed only
   * if the snapshot or the rejections have changed since.
   */
  public List<Object> keyFor(Snapshot view) {
    if (byVersion.isEmpty() && localProblems.isEmpty()) {
      return List.of();
    }
    if (keyView != view || keyChanges != changes) {
      List<Object> next = new ArrayList<>();
      localProblems.forEach((id, problem) -> next.add(List.of(id, problem)));
      byVersion.forEach(
          (rejected, reason) -> {
            Resource served = view.get(rejected.id);
            if (served != null && served.version().equals(rejected.version)) {
              next.add(List.of(rejected, reason.message));
            }
          });
      keyView = view;
      keyChanges = changes;
      key = next;
    }
    return key;
  }
}
