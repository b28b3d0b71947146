// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectChanges;
import dev.holdfast.config.ObjectKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Limits the number of objects. Objects that are there stay; one that comes when the limit is
 * reached waits until another one is deleted, and is then taken as if it came at that time. Loop
 * only.
 */
final class ObjectQuota {
  private static final Comparator<ConfigObject> OLDEST_FIRST =
      Comparator.comparing(ConfigObject::created).thenComparing(ConfigObject::key);

  private final int most;
  private final Set<ObjectKey> taken = new HashSet<>();
  private final SortedMap<ObjectKey, ConfigObject> waiting = new TreeMap<>();

  /** Served by an earlier process: these go first. */
  private final Set<ObjectKey> incumbents = new HashSet<>();

  ObjectQuota(int most) {
    this.most = most;
  }

  void restore(Collection<ObjectKey> served) {
    incumbents.addAll(served);
  }

  /** The changes of all objects that there is room for. */
  ObjectChanges limit(ObjectChanges changes) {
    SortedMap<ObjectKey, ConfigObject> added = new TreeMap<>();
    SortedMap<ObjectKey, ConfigObject> changed = new TreeMap<>();
    SortedSet<ObjectKey> removed = new TreeSet<>();
    for (ObjectKey key : changes.removed()) {
      if (waiting.remove(key) == null) {
        taken.remove(key);
        removed.add(key);
      }
    }
    changes
        .changed()
        .forEach((key, object) -> (waiting.containsKey(key) ? waiting : changed).put(key, object));
    changed.keySet().forEach(taken::add);
    waiting.putAll(changes.added());
    List<ConfigObject> candidates = new ArrayList<>(waiting.values());
    if (taken.size() + candidates.size() > most) {
      candidates.sort(
          Comparator.comparing((ConfigObject object) -> !incumbents.contains(object.key()))
              .thenComparing(OLDEST_FIRST));
    }
    for (ConfigObject object : candidates) {
      if (taken.size() < most) {
        taken.add(object.key());
        waiting.remove(object.key());
        added.put(object.key(), object);
      }
    }
    incumbents.clear();
    return new ObjectChanges(
        added, changed, removed, changes.problems(), changes.notes(), changes.complete());
  }

  /** The objects that wait for room. */
  SortedMap<ObjectKey, ConfigObject> waiting() {
    return Collections.unmodifiableSortedMap(waiting);
  }

  /** Why an object waits, for its author. */
  String reason() {
    return "not served: there are " + most + " objects already (limit objects)";
  }
}
