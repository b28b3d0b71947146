// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.bootstrap;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import dev.holdfast.base.Problems;
import java.io.EOFException;
import java.io.IOException;
import java.io.StringReader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON as its standard has it: no comments, no second document behind the first, and no name
 * twice in an object, since of two values the author meant one and we cannot know which.
 */
final class StrictJson {
  /** How gson's exceptions say where they stand. */
  private static final Pattern POSITION =
      Pattern.compile("(?s).*? at line (\\d+) column (\\d+) path.*");

  private StrictJson() {}

  /** The document; null if it is not one, with the reason in {@code problems}. */
  static @Nullable JsonElement read(String text, Problems problems) {
    try (JsonReader reader = new JsonReader(new StringReader(text))) {
      reader.setStrictness(Strictness.STRICT);
      JsonElement root = read(reader, problems, /* name= */ "");
      JsonToken unused = reader.peek(); // Throws if anything but the end follows.
      return root;
    } catch (IOException | IllegalStateException | NumberFormatException e) {
      problems.undecodable(describe(text, e));
      return null;
    }
  }

  /**
   * @param parent where the enclosing object stands
   * @param name of the value in it, with its index if it is an element of an array
   */
  private static JsonElement read(JsonReader reader, Problems parent, String name)
      throws IOException {
    return switch (reader.peek()) {
      case BEGIN_OBJECT -> readObject(reader, name.isEmpty() ? parent : parent.at(name));
      case BEGIN_ARRAY -> readArray(reader, parent, name);
      case STRING -> new JsonPrimitive(reader.nextString());
      case BOOLEAN -> new JsonPrimitive(reader.nextBoolean());
      case NUMBER -> new JsonPrimitive(reader.nextDouble());
      case NULL -> {
        reader.nextNull();
        yield JsonNull.INSTANCE;
      }
      default -> throw new IllegalStateException("unexpected " + reader.peek());
    };
  }

  private static JsonObject readObject(JsonReader reader, Problems problems) throws IOException {
    JsonObject object = new JsonObject();
    reader.beginObject();
    while (reader.hasNext()) {
      String name = reader.nextName();
      if (object.has(name)) {
        problems.at(name).invalid("given more than once (expected: once)");
      }
      object.add(name, read(reader, problems, name));
    }
    reader.endObject();
    return object;
  }

  private static JsonArray readArray(JsonReader reader, Problems parent, String name)
      throws IOException {
    JsonArray array = new JsonArray();
    reader.beginArray();
    while (reader.hasNext()) {
      array.add(read(reader, parent, name + "[" + array.size() + "]"));
    }
    reader.endArray();
    return array;
  }

  private static String describe(String text, Exception e) {
    if (text.isBlank()) {
      return "empty (expected: a JSON object)";
    }
    Matcher matcher = POSITION.matcher(String.valueOf(e.getMessage()));
    if (!matcher.matches()) {
      return "not JSON: " + e.getMessage();
    }
    String position = "line %s, column %s".formatted(matcher.group(1), matcher.group(2));
    return "not JSON: " + (e instanceof EOFException ? "ends too early at " : "") + position;
  }
}
