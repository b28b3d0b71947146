// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.bootstrap;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.holdfast.base.Problems;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a JSON object at a known place: gives what is there if it is of the right kind, and
 * reports what is not. A field that is null is a field that is not there; fields nobody asks for do
 * not matter.
 */
final class Fields {
  private final JsonObject object;
  private final Problems problems;

  private Fields(JsonObject object, Problems problems) {
    this.object = object;
    this.problems = problems;
  }

  /** The fields of what must be an object. */
  static @Nullable Fields of(JsonElement element, Problems problems) {
    if (element instanceof JsonObject object) {
      return new Fields(object, problems);
    }
    problems.invalid(describe(element) + " (expected: an object)");
    return null;
  }

  /** Where these fields stand, to report at. */
  Problems problems() {
    return problems;
  }

  boolean has(String field) {
    return get(field) != null;
  }

  /** The field as it is; null if there is none. */
  @Nullable JsonElement get(String field) {
    JsonElement value = object.get(field);
    return value == null || value.isJsonNull() ? null : value;
  }

  @Nullable String string(String field) {
    JsonElement value = get(field);
    if (value == null) {
      return null;
    }
    if (value instanceof JsonPrimitive primitive && primitive.isString()) {
      return primitive.getAsString();
    }
    wrong(field, value, "a string");
    return null;
  }

  /** A string that must be there and not be empty; null if it is not, which is reported. */
  @Nullable String requiredString(String field, String expected) {
    if (!has(field)) {
      problems.at(field).required("missing (expected: " + expected + ")");
      return null;
    }
    String value = string(field);
    if (value != null && value.isEmpty()) {
      problems.at(field).required("empty (expected: " + expected + ")");
      return null;
    }
    return value;
  }

  boolean flag(String field) {
    JsonElement value = get(field);
    if (value == null) {
      return false;
    }
    if (value instanceof JsonPrimitive primitive && primitive.isBoolean()) {
      return primitive.getAsBoolean();
    }
    wrong(field, value, "true or false");
    return false;
  }

  @Nullable Fields object(String field) {
    JsonElement value = get(field);
    return value == null ? null : of(value, problems.at(field));
  }

  /** The elements of an array; none if it is not there. */
  List<JsonElement> array(String field) {
    JsonElement value = get(field);
    if (value == null) {
      return List.of();
    }
    if (value instanceof JsonArray array) {
      return array.asList();
    }
    wrong(field, value, "an array");
    return List.of();
  }

  /** The elements of an array of objects, without those that are none. */
  List<Fields> objects(String field) {
    List<Fields> objects = new ArrayList<>();
    List<JsonElement> elements = array(field);
    for (int i = 0; i < elements.size(); i++) {
      Fields element = of(elements.get(i), problems.at(field, i));
      if (element != null) {
        objects.add(element);
      }
    }
    return objects;
  }

  /** The fields of this object that are objects, by name and in order; others are reported. */
  List<Map.Entry<String, Fields>> entriesOf(String field) {
    List<Map.Entry<String, Fields>> entries = new ArrayList<>();
    JsonElement value = get(field);
    if (value instanceof JsonObject map) {
      map.entrySet()
          .forEach(
              entry -> {
                Fields element = of(entry.getValue(), problems.at(field, entry.getKey()));
                if (element != null) {
                  entries.add(Map.entry(entry.getKey(), element));
                }
              });
    } else if (value != null) {
      wrong(field, value, "an object");
    }
    return entries;
  }

  private void wrong(String field, JsonElement value, String expected) {
    problems.at(field).invalid(describe(value) + " (expected: " + expected + ")");
  }

  static String describe(JsonElement value) {
    if (value.isJsonObject()) {
      return "an object";
    }
    String text = value.isJsonArray() ? "an array" : value.toString();
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text; // as it was written
  }
}
