// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A map that never changes and takes little memory, in the order in which it was written. Ten
 * thousand objects are half a million of these, most of them with one or two names, for which two
 * arrays are a quarter of a {@link LinkedHashMap}.
 */
final class SmallMap<V> extends AbstractMap<String, V> {
  /** Above this, a name is found faster by its hash. */
  private static final int MOST = 8;

  private final String[] names;
  private final Object[] values;

  private SmallMap(String[] names, Object[] values) {
    this.names = names;
    this.values = values;
  }

  /** The same map, whatever becomes of the given one. */
  static <V> Map<String, V> copyOf(Map<String, V> map) {
    if (map instanceof SmallMap) {
      return map;
    }
    if (map.size() > MOST) {
      return Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }
    String[] names = new String[map.size()];
    Object[] values = new Object[names.length];
    int i = 0;
    for (Map.Entry<String, V> entry : map.entrySet()) {
      names[i] = SharedTexts.of(entry.getKey());
      values[i++] = entry.getValue();
    }
    return new SmallMap<>(names, values);
  }

  @Override
  public int size() {
    return names.length;
  }

  @Override
  public @Nullable V get(@Nullable Object name) {
    int i = indexOf(name);
    return i < 0 ? null : value(i);
  }

  @Override
  public boolean containsKey(@Nullable Object name) {
    return indexOf(name) >= 0;
  }

  @Override
  public void forEach(BiConsumer<? super String, ? super V> action) {
    for (int i = 0; i < names.length; i++) {
      action.accept(names[i], value(i));
    }
  }

  String name(int i) {
    return names[i];
  }

  int indexOf(@Nullable Object name) {
    for (int i = 0; i < names.length; i++) {
      if (names[i].equals(name)) {
        return i;
      }
    }
    return -1;
  }

  @SuppressWarnings("unchecked") // it came in as one
  private V value(int i) {
    return (V) values[i];
  }

  @Override
  public void clear() {
    throw new UnsupportedOperationException("a mapping never changes");
  }

  // Made anew each time: the one that AbstractMap keeps takes memory in every map.
  @Override
  public Set<String> keySet() {
    return new AbstractSet<>() {
      @Override
      public int size() {
        return names.length;
      }

      @Override
      public boolean contains(@Nullable Object name) {
        return containsKey(name);
      }

      @Override
      public Iterator<String> iterator() {
        return Arrays.asList(names).iterator();
      }
    };
  }

  @Override
  public Set<Map.Entry<String, V>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public int size() {
        return names.length;
      }

      @Override
      public Iterator<Map.Entry<String, V>> iterator() {
        return new Iterator<>() {
          private int next;

          @Override
          public boolean hasNext() {
            return next < names.length;
          }

          @Override
          public Map.Entry<String, V> next() {
            if (!hasNext()) {
              throw new NoSuchElementException();
            }
            int i = next++;
            return new SimpleImmutableEntry<>(names[i], value(i));
          }
        };
      }
    };
  }
}
