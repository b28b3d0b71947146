// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Sorted maps and sets that never change and take little memory: an empty one takes none, and one
 * with an entry a third of a {@link TreeMap}. What holds many small maps copies them with this.
 */
public final class SortedCopies {
  private SortedCopies() {}

  /** A copy that cannot be modified, in the same order. */
  public static <K extends Comparable<? super K>, V> SortedMap<K, V> of(
      SortedMap<K, ? extends V> map) {
    if (map.comparator() != null) {
      return Collections.unmodifiableSortedMap(new TreeMap<>(map));
    }
    if (map.isEmpty()) {
      return Collections.emptySortedMap();
    }
    return ArraySortedMap.copyOf(map);
  }

  /** A copy that cannot be modified, in the same order. */
  public static <E extends Comparable<? super E>> SortedSet<E> of(SortedSet<E> set) {
    if (set.comparator() != null) {
      return Collections.unmodifiableSortedSet(new TreeSet<>(set));
    }
    if (set.isEmpty()) {
      return Collections.emptySortedSet();
    }
    return ArraySortedSet.copyOf(set);
  }

  /** The keys of a map, copied only if they have to be. */
  public static <K extends Comparable<? super K>> SortedSet<K> keys(SortedMap<K, ?> map) {
    return map.keySet() instanceof ArraySortedSet<K> keys ? keys : of(new TreeSet<>(map.keySet()));
  }
}
