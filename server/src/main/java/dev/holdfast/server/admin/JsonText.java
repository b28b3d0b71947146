// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.stream.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.util.Collection;

/** JSON as it is written: fields in the order of writing, nulls written out, UTF-8. */
final class JsonText {
  private JsonText() {}

  /** Writes one thing. */
  @FunctionalInterface
  interface Shape {
    void write(JsonWriter json) throws IOException;
  }

  /** Writes one element of many. */
  @FunctionalInterface
  interface ElementShape<T> {
    void write(JsonWriter json, T element) throws IOException;
  }

  static byte[] of(Shape shape) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
    try (JsonWriter json = new JsonWriter(new OutputStreamWriter(bytes, UTF_8))) {
      json.setHtmlSafe(false);
      json.setSerializeNulls(true);
      shape.write(json);
    } catch (IOException e) {
      throw new UncheckedIOException("writing JSON to memory", e);
    }
    return bytes.toByteArray();
  }

  /** {@code {"items": [...]}}: what every list looks like, so that it can get more to say. */
  static <T> byte[] items(Collection<T> elements, ElementShape<? super T> shape) {
    return of(
        json -> {
          json.beginObject().name("items");
          array(json, elements, shape);
          json.endObject();
        });
  }

  static <T> void array(JsonWriter json, Collection<T> elements, ElementShape<? super T> shape)
      throws IOException {
    json.beginArray();
    for (T element : elements) {
      shape.write(json, element);
    }
    json.endArray();
  }

  static void strings(JsonWriter json, Collection<String> strings) throws IOException {
    array(json, strings, (writer, string) -> writer.value(string));
  }
}
