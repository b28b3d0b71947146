// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.selection;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Changes that move together: objects that refer to one another, or a single one.
 *
 * @param objects each as it is to be, by name
 */
public record Bundle(SortedMap<ObjectKey, ConfigObject> objects) {
  /** First come, first served; the same on every machine. */
  static final Comparator<Bundle> ORDER =
      Comparator.comparing(Bundle::created).thenComparing(unit -> unit.objects().firstKey());

  public Bundle {
    if (objects.isEmpty()) {
      throw new IllegalArgumentException("objects: none (expected: at least one)");
    }
    objects = Collections.unmodifiableSortedMap(new TreeMap<>(objects));
  }

  public static Bundle of(ConfigObject object) {
    return new Bundle(new TreeMap<>(Map.of(object.key(), object)));
  }

  /** The newest object makes the change what it is. */
  private Instant created() {
    return objects.values().stream()
        .map(ConfigObject::created)
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  public boolean contains(ObjectKey key) {
    return objects.containsKey(key);
  }

  public boolean isSingle() {
    return objects.size() == 1;
  }

  /** All objects of some units. */
  public static SortedMap<ObjectKey, ConfigObject> all(List<Bundle> units) {
    SortedMap<ObjectKey, ConfigObject> all = new TreeMap<>();
    units.forEach(unit -> all.putAll(unit.objects()));
    return all;
  }

  @Override
  public String toString() {
    return objects.values().toString();
  }
}
