// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.client.ReportedObject;
import dev.holdfast.cli.output.Style;
import dev.holdfast.cli.output.Style.Colour;
import dev.holdfast.cli.output.Table;
import dev.holdfast.cli.output.Table.Cell;
import dev.holdfast.cli.output.Table.Column;
import dev.holdfast.cli.output.Table.Overflow;
import java.util.List;

/** Resources for people. */
final class ResourceTable {
  private ResourceTable() {}

  static List<String> render(JsonObject list, int width, Style style) {
    List<JsonObject> resources = JsonFields.of(list, "items");
    if (resources.isEmpty()) {
      return List.of("no resources");
    }
    Table table =
        new Table(
            "OBJECTS",
            Column.of("TYPE"),
            new Column("NAME", Overflow.WRAP, /* narrowest= */ 16),
            new Column("VERSION", Overflow.CUT, /* narrowest= */ 10),
            Column.of("ACCEPTED"),
            Column.of("PENDING"),
            Column.of("REJECTED"));
    for (JsonObject resource : resources) {
      JsonObject proxies = JsonFields.object(resource, "proxies");
      long rejected = JsonFields.number(proxies, "rejected");
      table.add(
          objects(JsonFields.of(resource, "objects")),
          Cell.of(JsonFields.text(resource, "type")),
          Cell.of(JsonFields.text(resource, "name")),
          Cell.of(JsonFields.text(resource, "version")),
          Cell.of(Long.toString(JsonFields.number(proxies, "accepted"))),
          Cell.of(Long.toString(JsonFields.number(proxies, "pending"))),
          new Cell(Long.toString(rejected), rejected == 0 ? Colour.NONE : Colour.BAD));
    }
    return table.render(width, style);
  }

  /** {@code TYPE/NAME}; empty if there is none. */
  static String id(JsonObject resource) {
    return resource.isEmpty()
        ? ""
        : JsonFields.text(resource, "type") + "/" + JsonFields.text(resource, "name");
  }

  /** A route table may be of thousands; the first ones give the idea. */
  private static String objects(List<JsonObject> objects) {
    if (objects.isEmpty()) {
      return "";
    }
    String first = ReportedObject.key(objects.get(0));
    return objects.size() == 1 ? first : first + " and " + (objects.size() - 1) + " more";
  }
}
