// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Caches the last derivation of each key with the facts that it read. Translations that continue
 * from the same one, as in a search, derive the same things repeatedly; the cache returns the
 * earlier result if all the facts that it was derived from are equal.
 */
public final class DerivationCache<K, R> {
  /**
   * How far the cache may outgrow the live keys. Beyond that it is cleared, to drop keys that are
   * no longer derived.
   */
  private static final int SLACK = 1024;

  private final Map<K, Entry<R>> entries = new ConcurrentHashMap<>();

  record Entry<R>(SortedMap<Fact, FactReader.Read> reads, @Nullable R result) {}

  /**
   * The cached entry, if deriving it from this index would give the same result; otherwise null.
   */
  @Nullable Entry<R> get(K key, Index index) {
    Entry<R> entry = entries.get(key);
    return entry != null
            && entry.reads().values().stream().allMatch(read -> read.hasSameValueIn(index))
        ? entry
        : null;
  }

  /**
   * @param liveKeys how many keys are in use
   */
  void put(K key, Entry<R> entry, int liveKeys) {
    if (entries.size() > 2 * liveKeys + SLACK) {
      entries.clear();
    }
    entries.put(key, entry);
  }
}
