// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import com.google.gson.stream.JsonWriter;
import dev.holdfast.controlplane.report.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What happened, now or in the past, as docs/admin-api.md shows it. */
final class EventJson {
  private EventJson() {}

  static void event(JsonWriter json, Event event) throws IOException {
    json.beginObject();
    json.name("id").value(event.id());
    json.name("at").value(Times.text(event.at()));
    json.name("kind").value(event.kind());
    json.name("object");
    ObjectJson.keyOrNull(json, event.object());
    json.name("generation").value(event.generation());
    json.name("resource").value(event.resource());
    json.name("proxy").value(event.proxy());
    json.name("message").value(event.message());
    json.endObject();
  }

  static void entry(JsonWriter json, History.Entry entry) throws IOException {
    json.beginObject();
    json.name("id").value(entry.id());
    json.name("at").value(Times.text(entry.at()));
    json.name("kind").value(entry.kind());
    json.name("object");
    ObjectJson.keyOrNull(json, entry.object());
    json.name("generation").value(entry.generation());
    json.name("resource").value(entry.resource());
    json.name("proxy").value(entry.proxy());
    json.name("message").value(entry.message());
    json.name("tookMillis");
    millisOrNull(json, entry.took());
    json.endObject();
  }

  /** How long something took; null if that is not known. */
  static void millisOrNull(JsonWriter json, @Nullable Duration took) throws IOException {
    if (took == null) {
      json.nullValue();
    } else {
      json.value(TimeUnit.NANOSECONDS.toMicros(took.toNanos()) / 1e3);
    }
  }
}
