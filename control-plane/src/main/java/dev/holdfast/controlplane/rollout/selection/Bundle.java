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
 * Changes that move together: objects that refer to one another, or a single object.
 *
 * @param objects the desired generations by key
 */
public record Bundle(SortedMap<ObjectKey, ConfigObject> objects) {
  /** By creation time, then by key: the same on every machine. */
  static final Comparator<Bundle> ORDER =
      Comparator.comparing(Bundle::created).thenComparing(bundle -> bundle.objects().firstKey());

  public Bundle {
    if (objects.isEmpty()) {
      throw new IllegalArgumentException("objects: none (expected: at least one)");
    }
    objects = Collections.unmodifiableSortedMap(new TreeMap<>(objects));
  }

  public static Bundle of(ConfigObject object) {
    return new Bundle(new TreeMap<>(Map.of(object.key(), object)));
  }

  /** A bundle is as old as its newest object. */
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

  /** All objects of some bundles. */
  public static SortedMap<ObjectKey, ConfigObject> all(List<Bundle> bundles) {
    SortedMap<ObjectKey, ConfigObject> all = new TreeMap<>();
    bundles.forEach(bundle -> all.putAll(bundle.objects()));
    return all;
  }

  @Override
  public String toString() {
    return objects.values().toString();
  }
}
