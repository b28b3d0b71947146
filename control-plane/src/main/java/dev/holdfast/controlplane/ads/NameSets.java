// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Sets of names that are nearly always empty. Each stream has a dozen for each type: an empty one
 * is shared by all, so that it needs no memory, and a look into it none that nobody else looked at.
 */
final class NameSets {
  private NameSets() {}

  static SortedSet<String> none() {
    return Collections.emptySortedSet();
  }

  /** The same set with one more name, which takes the place of the old one. */
  static SortedSet<String> with(SortedSet<String> names, String name) {
    SortedSet<String> result = names.isEmpty() ? new TreeSet<>() : names;
    result.add(name);
    return result;
  }

  /** The same set with more names, which takes the place of the old one. */
  static SortedSet<String> withAll(SortedSet<String> names, Collection<String> more) {
    if (more.isEmpty()) {
      return names;
    }
    SortedSet<String> result = names.isEmpty() ? new TreeSet<>() : names;
    result.addAll(more);
    return result;
  }

  /** The same set without a name, which takes the place of the old one. */
  static SortedSet<String> without(SortedSet<String> names, String name) {
    if (names.isEmpty()) {
      return names;
    }
    names.remove(name);
    return names.isEmpty() ? none() : names;
  }

  /** The same set without some names, which takes the place of the old one. */
  static SortedSet<String> withoutAll(SortedSet<String> names, Collection<String> some) {
    if (names.isEmpty()) {
      return names;
    }
    names.removeAll(some);
    return names.isEmpty() ? none() : names;
  }
}
