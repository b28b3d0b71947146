// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.client.ReportedObject;
import dev.holdfast.cli.output.Style;
import dev.holdfast.cli.output.Style.Colour;
import dev.holdfast.cli.output.Table;
import dev.holdfast.cli.output.Table.Cell;
import dev.holdfast.cli.output.Table.Column;
import dev.holdfast.cli.output.Table.Overflow;
import dev.holdfast.cli.output.Times;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** Rejections for people; the steps of a search are for those who ask for all there is. */
final class IncidentTable {
  private IncidentTable() {}

  static List<String> render(JsonObject list, Instant now, int width, Style style) {
    List<JsonObject> incidents = JsonFields.of(list, "items");
    if (incidents.isEmpty()) {
      return List.of("no incidents");
    }
    Table table =
        new Table(
            "MESSAGE",
            Column.of("ID"),
            Column.of("AGE"),
            new Column("CLASS", Overflow.WRAP, /* narrowest= */ 12),
            Column.of("CHANGES"),
            Column.of("PUSHES"),
            Column.of("TOOK"),
            new Column("TO BLAME", Overflow.WRAP, /* narrowest= */ 16));
    for (JsonObject incident : incidents) {
      table.add(
          ResourceTable.id(JsonFields.object(incident, "resource"))
              + ": "
              + JsonFields.text(incident, "message"),
          Cell.of(JsonFields.text(incident, "id")),
          Cell.of(ProxyTable.age(JsonFields.text(incident, "at"), now)),
          Cell.of(JsonFields.text(incident, "class")),
          Cell.of(JsonFields.text(incident, "changes")),
          Cell.of(JsonFields.text(incident, "pushes")),
          took(incident),
          Cell.of(culprits(incident)));
    }
    return table.render(width, style);
  }

  static Cell took(JsonObject incident) {
    String took = duration(incident, "tookMillis");
    return took.isEmpty() ? new Cell("searching", Colour.WARNING) : Cell.of(took);
  }

  /** A number of milliseconds for people; empty if there is none. */
  static String duration(JsonObject object, String field) {
    return object.get(field) instanceof JsonPrimitive number && number.isNumber()
        ? Times.took(number.getAsDouble())
        : "";
  }

  /** All of them: whoever looks here looks for these. */
  private static String culprits(JsonObject incident) {
    List<JsonObject> culprits = JsonFields.of(incident, "culprits");
    return culprits.isEmpty()
        ? ObjectTable.NOTHING
        : culprits.stream().map(ReportedObject::key).collect(Collectors.joining(", "));
  }
}
