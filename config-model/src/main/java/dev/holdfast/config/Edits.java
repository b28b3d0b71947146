// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What becomes different in a map. No key is in both parts.
 *
 * @param put new values, in the place of those that are there
 * @param removed keys whose values go; they need not be there
 */
public record Edits<K extends Comparable<? super K>, V>(SortedMap<K, V> put, SortedSet<K> removed) {
  public Edits {
    put = Collections.unmodifiableSortedMap(new TreeMap<>(put));
    removed = Collections.unmodifiableSortedSet(new TreeSet<>(removed));
    if (!Collections.disjoint(put.keySet(), removed)) {
      throw new IllegalArgumentException("edits: a key is both put and removed");
    }
  }

  /** Nothing becomes different. */
  public boolean isEmpty() {
    return put.isEmpty() && removed.isEmpty();
  }

  /** Carries them out. */
  public void applyTo(Map<K, V> map) {
    map.putAll(put);
    removed.forEach(map::remove);
  }

  /** Collects edits; of two for the same key the later one counts. */
  static final class Builder<K extends Comparable<? super K>, V> {
    private final SortedMap<K, V> put = new TreeMap<>();
    private final SortedSet<K> removed = new TreeSet<>();

    void put(K key, V value) {
      put.put(key, value);
      removed.remove(key);
    }

    void remove(K key) {
      removed.add(key);
      put.remove(key);
    }

    void add(Edits<K, V> later) {
      later.put().forEach(this::put);
      later.removed().forEach(this::remove);
    }

    boolean isEmpty() {
      return put.isEmpty() && removed.isEmpty();
    }

    Edits<K, V> build() {
      return new Edits<>(put, removed);
    }
  }
}
