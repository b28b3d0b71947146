// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Value;
import dev.holdfast.config.ValueText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Named texts, such as labels, as one text. */
final class StringMapText {
  private static final Position NOWHERE = Position.of("");

  private StringMapText() {}

  static String write(SortedMap<String, String> texts) {
    Map<String, Value> fields = new LinkedHashMap<>();
    texts.forEach((name, text) -> fields.put(name, new Scalar(text, NOWHERE)));
    return ValueText.of(new Mapping(fields, NOWHERE));
  }

  static SortedMap<String, String> read(String text, Position position) {
    SortedMap<String, String> texts = new TreeMap<>();
    ((Mapping) ValueText.parse(text, position))
        .fields()
        .forEach((name, value) -> texts.put(name, text(value)));
    return texts;
  }

  /** The text that a value is. */
  static String text(Value value) {
    if (value instanceof Scalar scalar && scalar.value() instanceof String string) {
      return string;
    }
    throw new IllegalArgumentException("value: not a text (expected: a text)");
  }
}
