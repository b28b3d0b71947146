// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Named values, in the order in which they were written.
 *
 * @param fields the values
 * @param keys where each name was written; the place to point at when a name itself is wrong
 * @param position where the mapping starts
 */
public record Mapping(Map<String, Value> fields, Map<String, Position> keys, Position position)
    implements Value {
  public Mapping {
    requireNonNull(position, "position");
    boolean areKeysDerived = keys instanceof ValuePositions places && places.areOf(fields);
    fields = SmallMap.copyOf(fields);
    if (!areKeysDerived && !haveSameNames(fields, keys)) {
      throw new IllegalArgumentException(
          "keys: " + keys.keySet() + " (expected: those of the fields, " + fields.keySet() + ")");
    }
    keys = areKeysDerived ? new ValuePositions(fields) : copyOf(keys, fields);
  }

  /** A mapping whose names have no places of their own: each stands where its value does. */
  public Mapping(Map<String, Value> fields, Position position) {
    this(fields, new ValuePositions(fields), position);
  }

  private static Map<String, Position> copyOf(
      Map<String, Position> keys, Map<String, Value> fields) {
    if (keys instanceof KeyPositions) {
      return keys;
    }
    KeyPositions compact = fields instanceof SmallMap<?> map ? KeyPositions.of(map, keys) : null;
    return compact == null ? SmallMap.copyOf(keys) : compact;
  }

  private static boolean haveSameNames(Map<String, Value> fields, Map<String, Position> keys) {
    if (fields.size() != keys.size()) {
      return false;
    }
    for (Map.Entry<String, Position> entry : keys.entrySet()) {
      if (!fields.containsKey(entry.getKey())) {
        return false;
      }
    }
    return true;
  }

  /** The value of a name; null if the name is not there. */
  public @Nullable Value get(String name) {
    return fields.get(name);
  }

  /** Where a name was written; where the mapping starts if the name is not there. */
  public Position keyPosition(String name) {
    return keys.getOrDefault(name, position);
  }
}
