// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import com.google.gson.stream.JsonWriter;
import dev.holdfast.controlplane.report.HoldReport;
import dev.holdfast.controlplane.report.IncidentReport;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.io.IOException;

/** What is held, and how that came about, as docs/admin-api.md shows it. */
final class HoldJson {
  private HoldJson() {}

  static void hold(JsonWriter json, HoldReport report) throws IOException {
    json.beginObject();
    ObjectJson.key(json, report.key());
    json.name("generation").value(report.generation());
    json.name("servedGeneration").value(report.servedGeneration());
    json.name("reason").value(report.reason());
    json.name("heldFor").value(report.heldFor());
    json.name("class").value(report.proxyClass());
    json.name("resource");
    ResourceId resource = report.resource();
    if (resource == null) {
      json.nullValue();
    } else {
      ResourceJson.id(json, resource);
    }
    json.name("message").value(report.message());
    json.name("cause");
    ObjectJson.keyOrNull(json, report.cause());
    json.name("since").value(Times.text(report.since()));
    json.endObject();
  }

  private static void trial(JsonWriter json, IncidentReport.Push push) throws IOException {
    json.beginObject();
    json.name("afterMillis");
    EventJson.millisOrNull(json, push.after());
    json.name("changes").value(push.changes());
    json.name("canaries");
    JsonText.strings(json, push.canaries());
    json.name("answer").value(push.answer());
    json.endObject();
  }

  private static void certificate(JsonWriter json, IncidentReport.OffendingObject blame) throws IOException {
    json.beginObject();
    json.name("object");
    ObjectJson.keyOrNull(json, blame.object());
    json.name("generation").value(blame.generation());
    json.name("class").value(blame.proxyClass());
    json.name("agent").value(blame.agent());
    json.name("resource");
    ResourceJson.id(json, blame.resource());
    json.name("part").value(blame.part());
    json.name("message").value(blame.message());
    json.endObject();
  }

  static void incident(JsonWriter json, IncidentReport report) throws IOException {
    json.beginObject();
    json.name("id").value(report.id());
    json.name("at").value(Times.text(report.at()));
    json.name("class").value(report.proxyClass());
    json.name("resource");
    ResourceJson.id(json, report.resource());
    json.name("message").value(report.message());
    json.name("changes").value(report.changes());
    json.name("pushes").value(report.pushes());
    json.name("steps");
    JsonText.strings(json, report.steps());
    json.name("trials");
    JsonText.array(json, report.trials(), HoldJson::trial);
    json.name("culprits");
    JsonText.array(json, report.offendingKeys(), ObjectJson::keyOrNull);
    json.name("certificates");
    JsonText.array(json, report.offendingObjects(), HoldJson::certificate);
    json.name("tookMillis");
    EventJson.millisOrNull(json, report.took());
    json.endObject();
  }
}
