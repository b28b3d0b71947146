// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import com.google.gson.stream.JsonWriter;
import dev.holdfast.config.Condition;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.report.ObjectReport;
import dev.holdfast.controlplane.report.ObjectState;
import dev.holdfast.controlplane.report.ProxyCounts;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes objects as docs/admin-api.md describes them. */
final class ObjectJson {
  private ObjectJson() {}

  /** One of many. */
  static void summary(JsonWriter json, ObjectReport report) throws IOException {
    json.beginObject();
    fields(json, report);
    json.endObject();
  }

  static void whole(JsonWriter json, ObjectReport report) throws IOException {
    json.beginObject();
    fields(json, report);
    json.name("diff");
    JsonText.strings(json, report.diff());
    json.endObject();
  }

  private static void fields(JsonWriter json, ObjectReport report) throws IOException {
    key(json, report.key());
    json.name("generation").value(report.generation());
    json.name("servedGeneration").value(report.servedGeneration());
    json.name("state").value(ObjectState.of(report).word());
    json.name("conditions");
    JsonText.array(json, report.conditions(), ObjectJson::condition);
    json.name("proxies");
    counts(json, report.proxies());
    json.name("byClass").beginObject();
    for (Map.Entry<String, ProxyCounts> entry : report.byClass().entrySet()) {
      json.name(entry.getKey());
      counts(json, entry.getValue());
    }
    json.endObject();
    json.name("resources");
    JsonText.array(json, report.resources(), ResourceJson::id);
    json.name("problems");
    JsonText.strings(json, report.problems());
    json.name("warnings");
    JsonText.strings(json, report.warnings());
    json.name("notProbed");
    JsonText.strings(json, report.notProbed());
    json.name("location").value(report.place());
  }

  private static void condition(JsonWriter json, Condition condition) throws IOException {
    json.beginObject();
    json.name("type").value(condition.type());
    json.name("status").value(condition.status().toString());
    json.name("reason").value(condition.reason());
    json.name("message").value(condition.message());
    json.name("observedGeneration").value(condition.observedGeneration());
    json.name("lastTransitionTime").value(Times.text(condition.lastTransition()));
    json.endObject();
  }

  private static void counts(JsonWriter json, ProxyCounts counts) throws IOException {
    json.beginObject();
    json.name("total").value(counts.total());
    json.name("programmed").value(counts.programmed());
    json.name("pending").value(counts.pending());
    json.name("rejected").value(counts.rejected());
    json.endObject();
  }

  /** The fields that name an object. */
  static void key(JsonWriter json, ObjectKey key) throws IOException {
    json.name("kind").value(key.kind());
    json.name("namespace").value(key.namespace());
    json.name("name").value(key.name());
  }

  /** The name of an object as a value; null if there is none. */
  static void keyOrNull(JsonWriter json, @Nullable ObjectKey key) throws IOException {
    if (key == null) {
      json.nullValue();
      return;
    }
    json.beginObject();
    key(json, key);
    json.endObject();
  }
}
