// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What was last derived under each key, and from what. Translations that are continued from the
 * same one, as in a search, derive the same things again and again; this gives them the earlier
 * result if all that it was derived from is the same.
 */
public final class DerivationCache<K, R> {
  /** Things that are derived no more are forgotten, with all others, when there are too many. */
  private static final int SPARE = 1024;

  private final Map<K, Entry<R>> entries = new ConcurrentHashMap<>();

  record Entry<R>(SortedMap<Fact, FactReader.Read> reads, @Nullable R result) {}

  /** What was derived under a key, if it would be derived again; null if that is not known. */
  @Nullable Entry<R> get(K key, Index index) {
    Entry<R> entry = entries.get(key);
    return entry != null && entry.reads().values().stream().allMatch(read -> read.holdsIn(index))
        ? entry
        : null;
  }

  /**
   * @param live how many things there are
   */
  void put(K key, Entry<R> entry, int live) {
    if (entries.size() > 2 * live + SPARE) {
      entries.clear();
    }
    entries.put(key, entry);
  }
}
