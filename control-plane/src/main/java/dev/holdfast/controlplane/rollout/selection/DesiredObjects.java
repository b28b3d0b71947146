// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.selection;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The objects as their authors want them, and which of them have yet to be tried. */
public final class DesiredObjects {
  private final SortedMap<ObjectKey, ConfigObject> live = new TreeMap<>();
  private final SortedSet<ObjectKey> pending = new TreeSet<>();

  /** Pending, but tried one at a time. */
  private final SortedSet<ObjectKey> alone = new TreeSet<>();

  /** The bundles of pending objects; null if they have to be built again. */
  private @Nullable List<Bundle> bundles;

  private final Function<ObjectKey, @Nullable ConfigObject> served;
  private long editions;

  /**
   * @param served gives the served generation of an object, null if none is
   */
  public DesiredObjects(Function<ObjectKey, @Nullable ConfigObject> served) {
    this.served = served;
  }

  public void put(ConfigObject object) {
    live.put(object.key(), object);
    bundles = null;
  }

  public void remove(ObjectKey key) {
    live.remove(key);
    bundles = null;
    done(key);
  }

  public @Nullable ConfigObject get(ObjectKey key) {
    return live.get(key);
  }

  public int size() {
    return live.size();
  }

  /** The objects whose newest generation is served. */
  public List<ConfigObject> served() {
    return live.values().stream()
        .filter(object -> object.equals(served.apply(object.key())))
        .toList();
  }

  public boolean isNewest(ConfigObject object) {
    return object.equals(live.get(object.key()));
  }

  /** An object is to be tried with the next trial. */
  public void markPending(ObjectKey key) {
    alone.remove(key);
    if (pending.add(key)) {
      bundles = null;
    }
  }

  /** An object is to be tried by itself, later. */
  public void retryAlone(ObjectKey key) {
    done(key);
    alone.add(key);
  }

  public void done(ObjectKey key) {
    if (pending.remove(key)) {
      bundles = null;
    }
    alone.remove(key);
  }

  public boolean isPending(ObjectKey key) {
    return pending.contains(key) || alone.contains(key);
  }

  /** The next object that is tried by itself; null if there is none. */
  public @Nullable ConfigObject takeAlone() {
    while (!alone.isEmpty()) {
      ObjectKey key = alone.first();
      markPending(key);
      ConfigObject object = live.get(key);
      if (object != null) {
        return object;
      }
    }
    return null;
  }

  public boolean hasAlone() {
    return !alone.isEmpty();
  }

  /** All pending changes, in bundles. */
  public List<Bundle> bundles() {
    List<Bundle> known = bundles;
    if (known == null) {
      List<ConfigObject> objects = objects(pending);
      known = objects.isEmpty() ? List.of() : BundleBuilder.of(objects, served);
      editions++;
      bundles = known;
    }
    return known;
  }

  /** A number that changes with {@link #bundles}. */
  public long edition() {
    bundles();
    return editions;
  }

  /** All objects that are not tried yet. */
  public List<ConfigObject> untried() {
    SortedSet<ObjectKey> keys = new TreeSet<>(pending);
    keys.addAll(alone);
    return objects(keys);
  }

  private List<ConfigObject> objects(Collection<ObjectKey> keys) {
    List<ConfigObject> objects = new ArrayList<>();
    for (ObjectKey key : keys) {
      ConfigObject object = live.get(key);
      if (object != null) {
        objects.add(object);
      }
    }
    return objects;
  }
}
