// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.apply;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import org.jspecify.annotations.Nullable;

/** A value that was read, in a form that can be written. */
final class ValueJson {
  private ValueJson() {}

  static JsonElement json(Value value) {
    if (value instanceof Mapping mapping) {
      JsonObject object = new JsonObject();
      mapping.fields().forEach((name, field) -> object.add(name, json(field)));
      return object;
    }
    if (value instanceof Sequence sequence) {
      JsonArray array = new JsonArray();
      sequence.elements().forEach(element -> array.add(json(element)));
      return array;
    }
    return scalar(((Scalar) value).value());
  }

  private static JsonElement scalar(@Nullable Object value) {
    if (value == null) {
      return JsonNull.INSTANCE;
    }
    if (value instanceof Boolean bool) {
      return new JsonPrimitive(bool);
    }
    return value instanceof Number number
        ? new JsonPrimitive(number)
        : new JsonPrimitive(value.toString());
  }
}
