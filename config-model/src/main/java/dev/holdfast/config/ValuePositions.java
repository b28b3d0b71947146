// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The places of names that have none of their own: each stands where its value does. */
final class ValuePositions extends AbstractMap<String, Position> {
  private final Map<String, Value> fields;

  ValuePositions(Map<String, Value> fields) {
    this.fields = fields;
  }

  boolean areOf(Map<String, Value> some) {
    return fields == some;
  }

  @Override
  public int size() {
    return fields.size();
  }

  @Override
  public @Nullable Position get(@Nullable Object name) {
    Value value = fields.get(name);
    return value == null ? null : value.position();
  }

  @Override
  public boolean containsKey(@Nullable Object name) {
    return fields.containsKey(name);
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
        return fields.size();
      }

      @Override
      public Iterator<Map.Entry<String, Position>> iterator() {
        Iterator<Map.Entry<String, Value>> entries = fields.entrySet().iterator();
        return new Iterator<>() {
          @Override
          public boolean hasNext() {
            return entries.hasNext();
          }

          @Override
          public Map.Entry<String, Position> next() {
            Map.Entry<String, Value> entry = entries.next();
            return Map.entry(entry.getKey(), entry.getValue().position());
          }
        };
      }
    };
  }
}
