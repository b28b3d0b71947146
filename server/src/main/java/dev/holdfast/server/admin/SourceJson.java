// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import com.google.gson.stream.JsonWriter;
import java.io.IOException;

/** Writes the state of the object source as docs/admin-api.md describes it. */
final class SourceJson {
  private SourceJson() {}

  static void write(JsonWriter json, SourceReport report) throws IOException {
    json.beginObject();
    json.name("type").value(report.type());
    json.name("place").value(report.place());
    json.name("leader").value(report.leader());
    json.name("waitingStatuses").value(report.waitingStatuses());
    json.name("kinds");
    JsonText.array(json, report.kinds(), SourceJson::kind);
    json.endObject();
  }

  private static void kind(JsonWriter json, SourceReport.Kind kind) throws IOException {
    json.beginObject();
    json.name("kind").value(kind.kind());
    json.name("namespace").value(kind.namespace());
    json.name("state").value(kind.state());
    json.name("reason").value(kind.reason());
    json.name("since").value(Times.text(kind.since()));
    json.name("objects").value(kind.objects());
    json.endObject();
  }
}
