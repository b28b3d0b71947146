// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The places of the names of a mapping, all in one file: a number each in the place of an object.
 * They take a third of what a map of positions does, and there are as many of them as there are
 * lines.
 */
final class KeyPositions extends AbstractMap<String, Position> {
  private static final int COLUMN_BITS = 10;
  private static final int MOST_COLUMNS = (1 << COLUMN_BITS) - 1;
  private static final int MOST_LINES = (1 << (Integer.SIZE - COLUMN_BITS)) - 1;

  private final SmallMap<?> fields;
  private final String source;

  /** The line and the column of each name, in the order of the fields. */
  private final int[] places;

  private KeyPositions(SmallMap<?> fields, String source, int[] places) {
    this.fields = fields;
    this.source = source;
    this.places = places;
  }

  /**
   * The positions of the names of these fields, which are the keys of both maps.
   *
   * @return null if they are not all in one file, or too far down or to the right for a number
   */
  static @Nullable KeyPositions of(SmallMap<?> fields, Map<String, Position> keys) {
    int[] places = new int[fields.size()];
    String source = null;
    for (int i = 0; i < places.length; i++) {
      Position position = keys.get(fields.name(i));
      if (position == null
          || (source != null && !source.equals(position.source()))
          || position.line() > MOST_LINES
          || position.column() > MOST_COLUMNS) {
        return null;
      }
      source = position.source();
      places[i] = position.line() << COLUMN_BITS | position.column();
    }
    return source == null ? null : new KeyPositions(fields, source, places);
  }

  private Position position(int i) {
    return new Position(source, places[i] >>> COLUMN_BITS, places[i] & MOST_COLUMNS);
  }

  @Override
  public int size() {
    return places.length;
  }

  @Override
  public @Nullable Position get(@Nullable Object name) {
    int i = fields.indexOf(name);
    return i < 0 ? null : position(i);
  }

  @Override
  public boolean containsKey(@Nullable Object name) {
    return fields.containsKey(name);
  }

  @Override
  public Set<String> keySet() {
    return fields.keySet();
  }

  @Override
  public void clear() {
    throw new UnsupportedOperationException("a mapping never changes");
  }

  @Override
  public Set<Map.Entry<String, Position>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public int size() {
        return places.length;
      }

      @Override
      public Iterator<Map.Entry<String, Position>> iterator() {
        return new Iterator<>() {
          private int next;

          @Override
          public boolean hasNext() {
            return next < places.length;
          }

          @Override
          public Map.Entry<String, Position> next() {
            if (!hasNext()) {
              throw new NoSuchElementException();
            }
            int i = next++;
            return Map.entry(fields.name(i), position(i));
          }
        };
      }
    };
  }
}
