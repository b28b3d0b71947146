// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import com.google.gson.stream.JsonWriter;
import dev.holdfast.controlplane.report.HoldReport;
import dev.holdfast.controlplane.report.IncidentReport;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.io.IOException;

/** Writes holds and incidents as docs/admin-api.md describes them. */
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
    json.name("verdict").value(push.answer());
    json.endObject();
  }

  private static void evidence(JsonWriter json, IncidentReport.OffendingObject offending)
      throws IOException {
    json.beginObject();
    json.name("object");
    ObjectJson.keyOrNull(json, offending.object());
    json.name("generation").value(offending.generation());
    json.name("class").value(offending.proxyClass());
    json.name("agent").value(offending.agent());
    json.name("resource");
    ResourceJson.id(json, offending.resource());
    json.name("part").value(offending.part());
    json.name("message").value(offending.message());
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
    json.name("offendingObjects");
    JsonText.array(json, report.offendingKeys(), ObjectJson::keyOrNull);
    json.name("evidence");
    JsonText.array(json, report.offendingObjects(), HoldJson::evidence);
    json.name("tookMillis");
    EventJson.millisOrNull(json, report.took());
    json.endObject();
  }
}
