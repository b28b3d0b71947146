// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A sorted map that never changes: its keys in one array, its values in another. */
@SuppressWarnings("JdkObsolete") // nobody navigates, which would take as many methods again
final class ArraySortedMap<K extends Comparable<? super K>, V> extends AbstractMap<K, V>
    implements SortedMap<K, V> {
  private final Object[] keys;
  private final @Nullable Object[] values;

  private ArraySortedMap(Object[] keys, @Nullable Object[] values) {
    this.keys = keys;
    this.values = values;
  }

  static <K extends Comparable<? super K>, V> SortedMap<K, V> copyOf(
      SortedMap<K, ? extends V> map) {
    if (map instanceof ArraySortedMap) {
      @SuppressWarnings("unchecked") // it cannot be modified, so that V may be a wider type
      SortedMap<K, V> same = (SortedMap<K, V>) map;
      return same;
    }
    return new ArraySortedMap<>(map.keySet().toArray(), map.values().toArray());
  }

  @SuppressWarnings("unchecked") // it came in as one
  private K key(int i) {
    return (K) keys[i];
  }

  @SuppressWarnings("unchecked") // it came in as one
  private V value(int i) {
    return (V) values[i];
  }

  @Override
  public int size() {
    return keys.length;
  }

  @Override
  public @Nullable V get(@Nullable Object key) {
    int i = SortedKeys.find(keys, key);
    return i < 0 ? null : value(i);
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return SortedKeys.find(keys, key) >= 0;
  }

  @Override
  public void forEach(BiConsumer<? super K, ? super V> action) {
    for (int i = 0; i < keys.length; i++) {
      action.accept(key(i), value(i));
    }
  }

  @Override
  public @Nullable Comparator<? super K> comparator() {
    return null;
  }

  @Override
  public K firstKey() {
    return edge(0);
  }

  @Override
  public K lastKey() {
    return edge(keys.length - 1);
  }

  private K edge(int i) {
    if (keys.length == 0) {
      throw new NoSuchElementException();
    }
    return key(i);
  }

  @Override
  public SortedMap<K, V> subMap(K from, K to) {
    if (from.compareTo(to) > 0) {
      throw new IllegalArgumentException("from: " + from + " (expected: at most " + to + ")");
    }
    return range(SortedKeys.before(keys, from), SortedKeys.before(keys, to));
  }

  @Override
  public SortedMap<K, V> headMap(K to) {
    return range(0, SortedKeys.before(keys, to));
  }

  @Override
  public SortedMap<K, V> tailMap(K from) {
    return range(SortedKeys.before(keys, from), keys.length);
  }

  private SortedMap<K, V> range(int from, int to) {
    return new ArraySortedMap<>(
        Arrays.copyOfRange(keys, from, to), Arrays.copyOfRange(values, from, to));
  }

  // Made anew each time: the one that AbstractMap keeps takes memory in every map.
  @Override
  public Set<K> keySet() {
    return ArraySortedSet.<K>over(keys);
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public int size() {
        return keys.length;
      }

      @Override
      public Iterator<Map.Entry<K, V>> iterator() {
        return new Iterator<>() {
          private int next;

          @Override
          public boolean hasNext() {
            return next < keys.length;
          }

          @Override
          public Map.Entry<K, V> next() {
            if (!hasNext()) {
              throw new NoSuchElementException();
            }
            int i = next++;
            return new SimpleImmutableEntry<>(key(i), value(i));
          }
        };
      }
    };
  }
}
