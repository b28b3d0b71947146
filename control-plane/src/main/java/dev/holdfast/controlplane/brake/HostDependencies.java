// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.brake;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import dev.holdfast.controlplane.objects.service.EndpointSlice;
import dev.holdfast.controlplane.objects.service.Service;
import dev.holdfast.controlplane.rollout.selection.ObjectReferences;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which objects each host needs: its roots, the proxies that they include, their Services with the
 * endpoints, their Secrets, and the policies that guard them. A snapshot, made for one decision.
 */
final class HostDependencies {
  /** The label that tells the Service of an EndpointSlice. */
  private static final String SERVICE_LABEL = "kubernetes.io/service-name";

  private final SortedMap<ObjectKey, SortedSet<ObjectKey>> targets = new TreeMap<>();
  private final Map<ObjectKey, SortedSet<ObjectKey>> slices = new HashMap<>();
  private final Map<ObjectKey, SortedSet<ObjectKey>> policies = new HashMap<>();
  private final SortedMap<String, SortedSet<ObjectKey>> roots = new TreeMap<>();

  /** Adds an object, or another generation of one. */
  void add(ConfigObject object, ObjectReferences found) {
    ObjectKey key = object.key();
    targets.computeIfAbsent(key, unused -> new TreeSet<>()).addAll(found.targets());
    for (String host : found.claims()) {
      roots.computeIfAbsent(host, unused -> new TreeSet<>()).add(key);
    }
    if (key.kind().equals(EndpointSlice.KIND)) {
      ObjectKey service = service(object);
      slices.computeIfAbsent(service, unused -> new TreeSet<>()).add(key);
    } else if (key.kind().equals(ExtensionPolicy.KIND)) {
      for (ObjectKey target : found.targets()) {
        policies.computeIfAbsent(target, unused -> new TreeSet<>()).add(key);
      }
    }
  }

  private static ObjectKey service(ConfigObject slice) {
    String name = slice.labels().getOrDefault(SERVICE_LABEL, "");
    return new ObjectKey(Service.KIND, slice.key().namespace(), name);
  }

  int hosts() {
    return roots.size();
  }

  /**
   * The hosts of which no root is left that has all it needs. A Service may lose endpoints, as long
   * as it has some.
   */
  SortedSet<String> lost(Set<ObjectKey> deleted) {
    Map<ObjectKey, Boolean> down = new HashMap<>();
    SortedSet<String> lost = new TreeSet<>();
    roots.forEach(
        (host, claimants) -> {
          if (claimants.stream()
              .allMatch(root -> down.computeIfAbsent(root, key -> isDown(key, deleted)))) {
            lost.add(host);
          }
        });
    return lost;
  }

  private boolean isDown(ObjectKey root, Set<ObjectKey> deleted) {
    for (ObjectKey needed : needs(root)) {
      if (deleted.contains(needed) || hasLostEndpoints(needed, deleted)) {
        return true;
      }
    }
    return false;
  }

  private boolean hasLostEndpoints(ObjectKey service, Set<ObjectKey> deleted) {
    SortedSet<ObjectKey> endpoints = slices.get(service);
    return endpoints != null && deleted.containsAll(endpoints);
  }

  /** The object and everything that it needs, endpoints excepted. */
  private SortedSet<ObjectKey> needs(ObjectKey object) {
    SortedSet<ObjectKey> found = new TreeSet<>();
    ArrayDeque<ObjectKey> open = new ArrayDeque<>();
    open.add(object);
    while (!open.isEmpty()) {
      ObjectKey next = open.remove();
      SortedSet<ObjectKey> its = targets.get(next);
      if (its == null || !found.add(next)) {
        continue;
      }
      if (!next.kind().equals(ExtensionPolicy.KIND)) {
        open.addAll(its);
      }
      open.addAll(policies.getOrDefault(next, new TreeSet<>()));
    }
    return found;
  }

  /** What these objects need, with all endpoints. */
  SortedSet<ObjectKey> neededBy(Iterable<ObjectKey> objects) {
    SortedSet<ObjectKey> needed = new TreeSet<>();
    for (ObjectKey object : objects) {
      for (ObjectKey one : needs(object)) {
        needed.add(one);
        needed.addAll(slices.getOrDefault(one, new TreeSet<>()));
      }
    }
    return needed;
  }

  /** How many deletions these are, where a Service and its endpoints count as one. */
  int count(Set<ObjectKey> deleted) {
    int count = deleted.size();
    for (Map.Entry<ObjectKey, SortedSet<ObjectKey>> entry : slices.entrySet()) {
      int gone = 0;
      for (ObjectKey slice : entry.getValue()) {
        gone += deleted.contains(slice) ? 1 : 0;
      }
      count -= deleted.contains(entry.getKey()) ? gone : Math.max(0, gone - 1);
    }
    return count;
  }
}
