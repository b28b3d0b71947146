// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import com.google.gson.stream.JsonWriter;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.report.ProblemReport;
import java.io.IOException;
import java.util.Locale;

/** Writes problems as docs/admin-api.md describes them. */
final class ProblemJson {
  private static final ObjectKey NO_OBJECT = new ObjectKey("", "", "");

  private ProblemJson() {}

  static void write(JsonWriter json, ProblemReport report) throws IOException {
    ObjectKey object = report.object();
    json.beginObject();
    json.name("severity").value(report.severity().name().toLowerCase(Locale.ROOT));
    json.name("reason").value(report.reason());
    ObjectJson.key(json, object == null ? NO_OBJECT : object);
    json.name("affected");
    JsonText.array(json, report.affected(), ProblemJson::object);
    json.name("proxy").value(report.proxy());
    json.name("generation").value(report.generation());
    json.name("servedGeneration").value(report.servedGeneration());
    json.name("serving").value(report.serving().name().toLowerCase(Locale.ROOT));
    json.name("message").value(report.message());
    json.name("details");
    JsonText.strings(json, report.details());
    json.name("since");
    if (report.since() == null) {
      json.nullValue();
    } else {
      json.value(Times.text(report.since()));
    }
    json.name("location").value(report.place());
    json.endObject();
  }

  private static void object(JsonWriter json, ObjectKey key) throws IOException {
    json.beginObject();
    ObjectJson.key(json, key);
    json.endObject();
  }
}
