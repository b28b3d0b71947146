// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import dev.holdfast.base.PersistentMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A persistent map with two keys. Empty inner maps are removed. */
public final class MultiMap<A extends Comparable<? super A>, B extends Comparable<? super B>, V> {
  private static final MultiMap<?, ?, ?> EMPTY =
      new MultiMap<String, String, String>(PersistentMap.empty());

  private final PersistentMap<A, PersistentMap<B, V>> maps;

  private MultiMap(PersistentMap<A, PersistentMap<B, V>> maps) {
    this.maps = maps;
  }

  @SuppressWarnings("unchecked") // the empty instance holds no values
  public static <A extends Comparable<? super A>, B extends Comparable<? super B>, V>
      MultiMap<A, B, V> empty() {
    return (MultiMap<A, B, V>) EMPTY;
  }

  /** The values under the first key, by the second. */
  public PersistentMap<B, V> get(A key) {
    PersistentMap<B, V> values = maps.get(key);
    return values == null ? PersistentMap.empty() : values;
  }

  public @Nullable V get(A key, B second) {
    return get(key).get(second);
  }

  /** A copy in which a value is added or replaced. */
  public MultiMap<A, B, V> with(A key, B second, V value) {
    return replace(key, get(key).with(second, value));
  }

  /** A copy without a value. */
  public MultiMap<A, B, V> without(A key, B second) {
    return replace(key, get(key).without(second));
  }

  private MultiMap<A, B, V> replace(A key, PersistentMap<B, V> values) {
    if (values == get(key)) {
      return this;
    }
    return new MultiMap<>(values.isEmpty() ? maps.without(key) : maps.with(key, values));
  }

  /** Hands over the maps that are not empty. */
  public void forEach(BiConsumer<? super A, ? super PersistentMap<B, V>> action) {
    maps.forEach(action);
  }
}
