// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Bodies of objects, without the way through a file. */
final class Values {
  private static final Position HERE = Position.of("simulation");

  private Values() {}

  /** Names and values in turn; values are values already, texts or whole numbers. */
  static Mapping map(Object... namesAndValues) {
    Map<String, Value> fields = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put((String) namesAndValues[i], value(namesAndValues[i + 1]));
    }
    return new Mapping(fields, HERE);
  }

  static Sequence list(Value... values) {
    return new Sequence(List.of(values), HERE);
  }

  static Sequence list(List<? extends Value> values) {
    return new Sequence(List.copyOf(values), HERE);
  }

  static Value text(String value) {
    return value((Object) value);
  }

  private static Value value(Object value) {
    return value instanceof Value ready ? ready : new Scalar(value, HERE);
  }
}
