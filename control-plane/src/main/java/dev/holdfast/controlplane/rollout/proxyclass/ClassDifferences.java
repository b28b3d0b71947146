// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How the selections of classes differ from the common baseline: the generation that the class
 * accepted, or null for an object of which it accepted none. A class without differences runs the
 * common baseline.
 */
public final class ClassDifferences {
  private final FleetRolloutObserver observer;
  private final SortedMap<String, SortedMap<ObjectKey, @Nullable ConfigObject>> byClass =
      new TreeMap<>();

  public ClassDifferences(FleetRolloutObserver observer) {
    this.observer = observer;
  }

  /** Restores what an earlier process stored. */
  public void restore(String proxyClass, ObjectKey key, @Nullable ConfigObject served) {
    of(proxyClass).put(key, served);
  }

  private SortedMap<ObjectKey, @Nullable ConfigObject> of(String proxyClass) {
    return byClass.computeIfAbsent(proxyClass, unused -> new TreeMap<>());
  }

  public boolean has(String proxyClass) {
    return byClass.containsKey(proxyClass);
  }

  boolean isEmpty() {
    return byClass.isEmpty();
  }

  public Set<String> classes() {
    return new TreeSet<>(byClass.keySet());
  }

  public SortedMap<ObjectKey, @Nullable ConfigObject> get(String proxyClass) {
    return Collections.unmodifiableSortedMap(
        byClass.getOrDefault(proxyClass, Collections.emptySortedMap()));
  }

  /** Records the generation that a class has, unless an older one is recorded already. */
  public void keep(String proxyClass, ObjectKey key, @Nullable ConfigObject served) {
    if (!of(proxyClass).containsKey(key)) {
      put(proxyClass, key, served);
    }
  }

  /** Records the generation that a class has now, or that it is the common one. */
  public void compare(
      String proxyClass,
      ObjectKey key,
      @Nullable ConfigObject served,
      @Nullable ConfigObject common) {
    if (Objects.equals(served, common)) {
      remove(proxyClass, key);
    } else {
      put(proxyClass, key, served);
    }
  }

  private void put(String proxyClass, ObjectKey key, @Nullable ConfigObject served) {
    SortedMap<ObjectKey, @Nullable ConfigObject> known = of(proxyClass);
    if (!known.containsKey(key) || !Objects.equals(known.get(key), served)) {
      known.put(key, served);
      observer.differs(proxyClass, key, served);
    }
  }

  private void remove(String proxyClass, ObjectKey key) {
    SortedMap<ObjectKey, @Nullable ConfigObject> known = byClass.get(proxyClass);
    if (known != null && known.containsKey(key)) {
      known.remove(key);
      observer.agrees(proxyClass, key);
      if (known.isEmpty()) {
        byClass.remove(proxyClass);
      }
    }
  }

  /** Compares the whole selection of a class with the common baseline. */
  public void compare(String proxyClass, Baseline served, Baseline common) {
    SortedSet<ObjectKey> keys = new TreeSet<>(served.keys());
    keys.addAll(common.keys());
    keys.addAll(get(proxyClass).keySet());
    for (ObjectKey key : keys) {
      compare(proxyClass, key, served.get(key), common.get(key));
    }
  }

  /** A class runs the common baseline. */
  public void clear(String proxyClass) {
    for (ObjectKey key : new TreeSet<>(get(proxyClass).keySet())) {
      remove(proxyClass, key);
    }
  }

  /** An object was deleted. */
  public void forget(ObjectKey key) {
    classes().forEach(proxyClass -> remove(proxyClass, key));
  }

  /** Forgets all other objects: they were deleted while this server was not running. */
  public void retain(Set<ObjectKey> live) {
    for (String proxyClass : classes()) {
      for (ObjectKey key : new TreeSet<>(get(proxyClass).keySet())) {
        if (!live.contains(key)) {
          remove(proxyClass, key);
        }
      }
    }
  }

  /**
   * The common baseline is about to take some objects, and these classes keep what they have.
   *
   * @param common the rollout of those classes that are not separated
   */
  public void keep(
      Collection<ConfigObject> objects,
      Set<String> classes,
      Rollout common,
      Map<String, ClassRollout> separate) {
    for (String proxyClass : classes) {
      ClassRollout one = separate.get(proxyClass);
      for (ConfigObject object : objects) {
        ObjectKey key = object.key();
        if (one == null) {
          keep(proxyClass, key, common.selection().get(key));
        } else if (!one.isSearching()) {
          compare(proxyClass, key, one.rollout.selection().get(key), object);
        }
      }
    }
  }
}
