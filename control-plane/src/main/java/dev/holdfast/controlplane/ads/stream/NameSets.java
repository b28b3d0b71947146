// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Sets of names that are nearly always empty. Every stream has several of them per type: all empty
 * sets are one shared instance, which costs no memory and is always in the cache.
 */
final class NameSets {
  private NameSets() {}

  static SortedSet<String> none() {
    return Collections.emptySortedSet();
  }

  /** Adds a name; the result replaces the given set. */
  static SortedSet<String> with(SortedSet<String> names, String name) {
    SortedSet<String> result = names.isEmpty() ? new TreeSet<>() : names;
    result.add(name);
    return result;
  }

  /** Removes a name; the result replaces the given set. */
  static SortedSet<String> without(SortedSet<String> names, String name) {
    if (names.isEmpty()) {
      return names;
    }
    names.remove(name);
    return names.isEmpty() ? none() : names;
  }
}
