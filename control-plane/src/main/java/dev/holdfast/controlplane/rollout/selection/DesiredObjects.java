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

/** What authors want, and what of it has yet to be tried. */
public final class DesiredObjects {
  private final SortedMap<ObjectKey, ConfigObject> live = new TreeMap<>();
  private final SortedSet<ObjectKey> pending = new TreeSet<>();

  /** Pending, but each to be tried by itself, from time to time. */
  private final SortedSet<ObjectKey> slow = new TreeSet<>();

  /** The units of what is pending; null if that changed since they were worked out. */
  private @Nullable List<Bundle> units;

  private final Function<ObjectKey, @Nullable ConfigObject> served;
  private long editions;

  /**
   * @param served gives what is served of an object, null if nothing is
   */
  public DesiredObjects(Function<ObjectKey, @Nullable ConfigObject> served) {
    this.served = served;
  }

  public void put(ConfigObject object) {
    live.put(object.key(), object);
    units = null;
  }

  public void remove(ObjectKey key) {
    live.remove(key);
    units = null;
    done(key);
  }

  public @Nullable ConfigObject get(ObjectKey key) {
    return live.get(key);
  }

  /** Those whose newest generation is served. */
  public List<ConfigObject> served() {
    return live.values().stream()
        .filter(object -> object.equals(served.apply(object.key())))
        .toList();
  }

  public boolean isNewest(ConfigObject object) {
    return object.equals(live.get(object.key()));
  }

  /** An object is to be tried with the next. */
  public void pend(ObjectKey key) {
    slow.remove(key);
    if (pending.add(key)) {
      units = null;
    }
  }

  /** An object is to be tried by itself. */
  public void pendSlowly(ObjectKey key) {
    done(key);
    slow.add(key);
  }

  public void done(ObjectKey key) {
    if (pending.remove(key)) {
      units = null;
    }
    slow.remove(key);
  }

  public boolean isPending(ObjectKey key) {
    return pending.contains(key) || slow.contains(key);
  }

  /** The next of those that are tried by themselves; null if there is none. */
  public @Nullable ConfigObject takeSlow() {
    while (!slow.isEmpty()) {
      ObjectKey key = slow.first();
      pend(key);
      ConfigObject object = live.get(key);
      if (object != null) {
        return object;
      }
    }
    return null;
  }

  public boolean hasSlow() {
    return !slow.isEmpty();
  }

  /** All that is to be tried, in units. */
  public List<Bundle> bundles() {
    List<Bundle> known = units;
    if (known == null) {
      List<ConfigObject> objects = objects(pending);
      known = objects.isEmpty() ? List.of() : BundleBuilder.of(objects, served);
      editions++;
      units = known;
    }
    return known;
  }

  /** Tells whether {@link #bundles} has become another list. */
  public long edition() {
    bundles();
    return editions;
  }

  /** All that is not tried yet. */
  public List<ConfigObject> untried() {
    SortedSet<ObjectKey> keys = new TreeSet<>(pending);
    keys.addAll(slow);
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
