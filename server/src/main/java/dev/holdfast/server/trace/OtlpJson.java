// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.trace;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.stream.JsonWriter;
import dev.holdfast.controlplane.trace.TraceSpan;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Spans as the request of OTLP/HTTP, in JSON. */
final class OtlpJson {
  private static final int INTERNAL = 1;
  private static final int ERROR = 2;
  private static final long NANOS = 1_000_000_000L;

  private OtlpJson() {}

  static byte[] of(List<TraceSpan> spans, String version) {
    StringWriter text = new StringWriter();
    try (JsonWriter json = new JsonWriter(text)) {
      json.beginObject().name("resourceSpans").beginArray().beginObject();
      json.name("resource").beginObject();
      attributes(json, Map.of("service.name", "holdfast"), Map.of("service.version", version));
      json.endObject();
      json.name("scopeSpans").beginArray().beginObject();
      json.name("scope").beginObject().name("name").value("dev.holdfast").endObject();
      json.name("spans").beginArray();
      for (TraceSpan span : spans) {
        write(json, span);
      }
      json.endArray().endObject().endArray().endObject().endArray().endObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing JSON to memory", e);
    }
    return text.toString().getBytes(UTF_8);
  }

  private static void write(JsonWriter json, TraceSpan span) throws IOException {
    json.beginObject();
    json.name("traceId").value(span.traceId());
    json.name("spanId").value(span.spanId());
    if (!span.parentId().isEmpty()) {
      json.name("parentSpanId").value(span.parentId());
    }
    json.name("name").value(span.name());
    json.name("kind").value(INTERNAL);
    // Numbers of 64 bits are strings in the JSON of protobuf.
    json.name("startTimeUnixNano").value(nanos(span.start()));
    json.name("endTimeUnixNano").value(nanos(span.end()));
    attributes(json, span.attributes(), Map.of());
    if (!span.error().isEmpty()) {
      json.name("status").beginObject();
      json.name("code").value(ERROR).name("message").value(span.error());
      json.endObject();
    }
    json.endObject();
  }

  private static void attributes(
      JsonWriter json, Map<String, String> attributes, Map<String, String> more)
      throws IOException {
    json.name("attributes").beginArray();
    for (Map<String, String> some : List.of(attributes, more)) {
      for (Map.Entry<String, String> attribute : some.entrySet()) {
        json.beginObject().name("key").value(attribute.getKey());
        json.name("value").beginObject().name("stringValue").value(attribute.getValue());
        json.endObject().endObject();
      }
    }
    json.endArray();
  }

  private static String nanos(Instant instant) {
    return Long.toString(instant.getEpochSecond() * NANOS + instant.getNano());
  }
}
