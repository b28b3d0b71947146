// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import com.google.gson.stream.JsonWriter;
import dev.holdfast.controlplane.report.DeletionsReport;
import java.io.IOException;

/** Writes deletions that wait for a confirmation as docs/admin-api.md describes them. */
final class DeletionJson {
  private DeletionJson() {}

  static void write(JsonWriter json, DeletionsReport report) throws IOException {
    json.beginObject();
    json.name("set").value(report.set());
    json.name("hosts");
    JsonText.strings(json, report.hosts());
    json.name("items");
    JsonText.array(json, report.items(), DeletionJson::deletion);
    json.endObject();
  }

  private static void deletion(JsonWriter json, DeletionsReport.Deletion deletion)
      throws IOException {
    json.beginObject();
    ObjectJson.key(json, deletion.key());
    json.name("generation").value(deletion.generation());
    json.name("location").value(deletion.place());
    json.name("since").value(Times.text(deletion.since()));
    json.endObject();
  }
}
