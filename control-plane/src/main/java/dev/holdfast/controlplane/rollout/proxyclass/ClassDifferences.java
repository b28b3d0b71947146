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
 * What classes of proxies accepted where that is not what all others are served; an object that
 * they accepted nothing of is null. A class without any is where the others are.
 */
public final class ClassDifferences {
  private final FleetRolloutObserver observer;
  private final SortedMap<String, SortedMap<ObjectKey, @Nullable ConfigObject>> byClass =
      new TreeMap<>();

  public ClassDifferences(FleetRolloutObserver observer) {
    this.observer = observer;
  }

  /** Takes up what an earlier life knew. */
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

  /** Notes what a class has of an object, unless something older is known already. */
  public void keep(String proxyClass, ObjectKey key, @Nullable ConfigObject served) {
    if (!of(proxyClass).containsKey(key)) {
      put(proxyClass, key, served);
    }
  }

  /** A class was served something: it may be what all others are served. */
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

  /** Works out anew in what a class is different from all others. */
  public void compare(String proxyClass, Baseline served, Baseline common) {
    SortedSet<ObjectKey> keys = new TreeSet<>(served.keys());
    keys.addAll(common.keys());
    keys.addAll(get(proxyClass).keySet());
    for (ObjectKey key : keys) {
      compare(proxyClass, key, served.get(key), common.get(key));
    }
  }

  /** A class is where all others are. */
  public void clear(String proxyClass) {
    for (ObjectKey key : new TreeSet<>(get(proxyClass).keySet())) {
      remove(proxyClass, key);
    }
  }

  /** Objects are no more. */
  public void forget(ObjectKey key) {
    classes().forEach(proxyClass -> remove(proxyClass, key));
  }

  /** The first report of all objects is complete: the rest went away meanwhile. */
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
   * Some classes stay where they are, whatever all others are about to be served.
   *
   * @param common what they go along with, but for the separate ones
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
