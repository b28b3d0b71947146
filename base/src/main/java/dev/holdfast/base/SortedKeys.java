// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Searches arrays of keys that are sorted in their natural order. */
final class SortedKeys {
  private SortedKeys() {}

  /** The index of a key; if it is not there, minus the index where it would be, minus one. */
  @SuppressWarnings(
      "unchecked") // a key of another type fails with ClassCastException, as in a tree
  static int find(Object[] keys, @Nullable Object key) {
    Comparable<Object> wanted = (Comparable<Object>) Objects.requireNonNull(key);
    int low = 0;
    int high = keys.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = wanted.compareTo(keys[middle]);
      if (order == 0) {
        return middle;
      } else if (order > 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -low - 1;
  }

  /** How many keys come before a key. */
  static int before(Object[] keys, Object key) {
    int found = find(keys, key);
    return found >= 0 ? found : -found - 1;
  }
}
