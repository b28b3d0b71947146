// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import java.util.Collections;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which generation of each object is in force; an object that is not mentioned is absent.
 *
 * @param generations the generation of each object that is in force
 */
public record Selection(SortedMap<ObjectKey, Long> generations) {
  private static final Selection EMPTY = new Selection(Collections.emptySortedMap());

  public Selection {
    generations = Collections.unmodifiableSortedMap(new TreeMap<>(generations));
    for (Map.Entry<ObjectKey, Long> entry : generations.entrySet()) {
      if (entry.getValue() < 1) {
        throw new IllegalArgumentException(
            "generation of " + entry.getKey() + ": " + entry.getValue() + " (expected: from 1)");
      }
    }
  }

  /** Every object is absent. */
  public static Selection empty() {
    return EMPTY;
  }

  /** The generation of an object that is in force; empty if the object is absent. */
  public OptionalLong generation(ObjectKey key) {
    Long generation = generations.get(key);
    return generation == null ? OptionalLong.empty() : OptionalLong.of(generation);
  }

  /** The same selection with one object at a generation. */
  public Selection with(ObjectKey key, long generation) {
    SortedMap<ObjectKey, Long> changed = new TreeMap<>(generations);
    changed.put(key, generation);
    return new Selection(changed);
  }

  /** The same selection with one object absent. */
  public Selection without(ObjectKey key) {
    SortedMap<ObjectKey, Long> changed = new TreeMap<>(generations);
    changed.remove(key);
    return new Selection(changed);
  }
}
