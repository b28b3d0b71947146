// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.api;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON as values. */
public final class Json {
  private static final int DEEPEST = 200;

  private Json() {}

  /**
   * @param position where all of it is said to stand
   * @throws IllegalArgumentException if the text is not JSON
   */
  public static Value parse(String text, Position position) {
    try (JsonReader reader = new JsonReader(new StringReader(text))) {
      Value value = read(reader, position, new HashMap<>(), 0);
      if (reader.peek() != JsonToken.END_DOCUMENT) {
        throw new IllegalArgumentException("JSON: more than one value (expected: one)");
      }
      return value;
    } catch (IOException | IllegalStateException | NumberFormatException e) {
      throw new IllegalArgumentException("JSON: cannot be read (expected: one JSON value)", e);
    }
  }

  /**
   * @param names those that were read before: the objects of a list have the same ones, and keep
   *     them
   */
  private static Value read(
      JsonReader reader, Position position, Map<String, String> names, int depth)
      throws IOException {
    if (depth > DEEPEST) {
      throw new IllegalArgumentException("JSON: nested more than " + DEEPEST + " deep");
    }
    switch (reader.peek()) {
      case BEGIN_OBJECT:
        Map<String, Value> fields = new LinkedHashMap<>();
        reader.beginObject();
        while (reader.hasNext()) {
          String name = reader.nextName();
          String known = names.putIfAbsent(name, name);
          fields.put(known == null ? name : known, read(reader, position, names, depth + 1));
        }
        reader.endObject();
        return new Mapping(fields, position);
      case BEGIN_ARRAY:
        List<Value> elements = new ArrayList<>();
        reader.beginArray();
        while (reader.hasNext()) {
          elements.add(read(reader, position, names, depth + 1));
        }
        reader.endArray();
        return new Sequence(elements, position);
      case STRING:
        return new Scalar(reader.nextString(), position);
      case NUMBER:
        return new Scalar(number(reader.nextString()), position);
      case BOOLEAN:
        return new Scalar(reader.nextBoolean(), position);
      case NULL:
        reader.nextNull();
        return new Scalar(null, position);
      default:
        throw new IllegalArgumentException("JSON: cannot be read (expected: a value)");
    }
  }

  private static Number number(String text) {
    boolean whole = text.indexOf('.') < 0 && text.indexOf('e') < 0 && text.indexOf('E') < 0;
    if (whole) {
      try {
        return Long.valueOf(text);
      } catch (NumberFormatException e) {
        return new BigDecimal(text); // larger than any number that means something here
      }
    }
    return new BigDecimal(text);
  }

  // Reading what an API server wrote: what is not there, or is something else, is null or empty.

  /** The mapping under a name; an empty one if there is none. */
  public static Mapping mapping(Mapping object, String name) {
    return object.get(name) instanceof Mapping mapping
        ? mapping
        : new Mapping(Map.of(), object.position());
  }

  /** The string under a name; empty if there is none. */
  public static String string(Mapping object, String name) {
    return object.get(name) instanceof Scalar scalar && scalar.value() instanceof String text
        ? text
        : "";
  }

  /** The number under a name; 0 if there is none. */
  public static long number(Mapping object, String name) {
    return object.get(name) instanceof Scalar scalar && scalar.value() instanceof Long number
        ? number
        : 0;
  }

  /** The elements of the sequence under a name; none if there is no sequence. */
  public static List<Value> elements(Mapping object, String name) {
    return object.get(name) instanceof Sequence sequence ? sequence.elements() : List.of();
  }

  /** A value out of maps, lists, strings, numbers, booleans and null, to be written as JSON. */
  public static Value value(@Nullable Object plain) {
    Position nowhere = Position.of("");
    if (plain instanceof Map<?, ?> map) {
      Map<String, Value> fields = new LinkedHashMap<>();
      map.forEach((name, field) -> fields.put(String.valueOf(name), value(field)));
      return new Mapping(fields, nowhere);
    }
    if (plain instanceof List<?> list) {
      List<Value> elements = new ArrayList<>();
      list.forEach(element -> elements.add(value(element)));
      return new Sequence(elements, nowhere);
    }
    return new Scalar(plain instanceof Integer number ? Long.valueOf(number) : plain, nowhere);
  }
}
