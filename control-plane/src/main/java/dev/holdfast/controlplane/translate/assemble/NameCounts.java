// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.assemble;

import dev.holdfast.base.PersistentMap;
import java.util.Collection;

/**
 * How many fragments of a shared resource refer to each name.
 *
 * @param names the names without their counts; a set, the values have no meaning
 */
record NameCounts(PersistentMap<String, Integer> counts, PersistentMap<String, String> names) {
  static final NameCounts EMPTY = new NameCounts(PersistentMap.empty(), PersistentMap.empty());

  /** A copy with one more reference to each name. */
  NameCounts plus(Collection<String> added) {
    NameCounts sum = this;
    for (String name : added) {
      sum = new NameCounts(sum.counts.with(name, sum.count(name) + 1), sum.names.with(name, ""));
    }
    return sum;
  }

  /** A copy with one reference less to each name. */
  NameCounts minus(Collection<String> removed) {
    NameCounts rest = this;
    for (String name : removed) {
      int count = rest.count(name) - 1;
      rest =
          count == 0
              ? new NameCounts(rest.counts.without(name), rest.names.without(name))
              : new NameCounts(rest.counts.with(name, count), rest.names);
    }
    return rest;
  }

  private int count(String name) {
    Integer count = counts.get(name);
    return count == null ? 0 : count;
  }
}
