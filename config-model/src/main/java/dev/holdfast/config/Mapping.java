// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.LinkedHashMap;
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
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    keys = Collections.unmodifiableMap(new LinkedHashMap<>(keys));
    if (!fields.keySet().equals(keys.keySet())) {
      throw new IllegalArgumentException(
          "keys: " + keys.keySet() + " (expected: those of the fields, " + fields.keySet() + ")");
    }
  }

  /** A mapping whose names have no places of their own: each stands where its value does. */
  public Mapping(Map<String, Value> fields, Position position) {
    this(fields, places(fields), position);
  }

  private static Map<String, Position> places(Map<String, Value> fields) {
    Map<String, Position> places = new LinkedHashMap<>();
    fields.forEach((name, value) -> places.put(name, value.position()));
    return places;
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
