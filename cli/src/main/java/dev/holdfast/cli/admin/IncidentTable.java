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

/** The table of {@code get incidents}, without the steps of each search. */
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
            new Column("CAUSED BY", Overflow.WRAP, /* narrowest= */ 16));
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
          Cell.of(offendingObjects(incident)));
    }
    return table.render(width, style);
  }

  static Cell took(JsonObject incident) {
    String took = duration(incident, "tookMillis");
    return took.isEmpty() ? new Cell("searching", Colour.WARNING) : Cell.of(took);
  }

  /** A field in milliseconds as readable text; empty if it is absent. */
  static String duration(JsonObject object, String field) {
    return object.get(field) instanceof JsonPrimitive number && number.isNumber()
        ? Times.took(number.getAsDouble())
        : "";
  }

  /** Lists all of them: they are what a reader of this table looks for. */
  private static String offendingObjects(JsonObject incident) {
    List<JsonObject> offendingObjects = JsonFields.of(incident, "offendingObjects");
    return offendingObjects.isEmpty()
        ? ObjectTable.NOTHING
        : offendingObjects.stream().map(ReportedObject::key).collect(Collectors.joining(", "));
  }
}
