// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.output.Style;
import dev.holdfast.cli.output.Style.Colour;
import dev.holdfast.cli.output.Table;
import dev.holdfast.cli.output.Table.Cell;
import dev.holdfast.cli.output.Table.Column;
import dev.holdfast.cli.output.Table.Overflow;
import java.time.Instant;
import java.util.List;

/** What is held, for people. */
final class HoldTable {
  private HoldTable() {}

  static List<String> render(JsonObject list, Instant now, int width, Style style) {
    List<JsonObject> holds = JsonFields.of(list, "items");
    if (holds.isEmpty()) {
      return List.of("no holds");
    }
    Table table =
        new Table(
            "MESSAGE",
            Column.of("NAMESPACE"),
            Column.of("KIND"),
            new Column("NAME", Overflow.WRAP, /* narrowest= */ 12),
            Column.of("HELD"),
            Column.of("SERVED"),
            Column.of("REASON"),
            new Column("CLASS", Overflow.WRAP, /* narrowest= */ 12),
            Column.of("AGE"));
    for (JsonObject hold : holds) {
      String proxyClass = JsonFields.text(hold, "class");
      table.add(
          message(hold),
          Cell.of(JsonFields.text(hold, "namespace")),
          Cell.of(JsonFields.text(hold, "kind")),
          Cell.of(JsonFields.text(hold, "name")),
          Cell.of(JsonFields.text(hold, "generation")),
          Cell.of(ObjectTable.served(hold)),
          new Cell(JsonFields.text(hold, "reason"), Colour.BAD),
          Cell.of(proxyClass.isEmpty() ? ObjectTable.NOTHING : proxyClass),
          Cell.of(ProxyTable.age(JsonFields.text(hold, "since"), now)));
    }
    return table.render(width, style);
  }

  private static String message(JsonObject hold) {
    String resource = ResourceTable.id(JsonFields.object(hold, "resource"));
    String message = JsonFields.text(hold, "message");
    String heldFor = JsonFields.text(hold, "heldFor");
    return (heldFor.isEmpty() ? "" : "only for its class: ")
        + (resource.isEmpty() ? message : resource + ": " + message);
  }
}
