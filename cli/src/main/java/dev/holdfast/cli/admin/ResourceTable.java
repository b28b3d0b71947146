// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.client.Items;
import dev.holdfast.cli.client.Reported;
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
    List<JsonObject> resources = Items.of(list, "items");
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
      JsonObject proxies = Items.object(resource, "proxies");
      long rejected = Items.number(proxies, "rejected");
      table.add(
          objects(Items.of(resource, "objects")),
          Cell.of(Items.text(resource, "type")),
          Cell.of(Items.text(resource, "name")),
          Cell.of(Items.text(resource, "version")),
          Cell.of(Long.toString(Items.number(proxies, "accepted"))),
          Cell.of(Long.toString(Items.number(proxies, "pending"))),
          new Cell(Long.toString(rejected), rejected == 0 ? Colour.NONE : Colour.BAD));
    }
    return table.render(width, style);
  }

  /** {@code TYPE/NAME}; empty if there is none. */
  static String id(JsonObject resource) {
    return resource.isEmpty()
        ? ""
        : Items.text(resource, "type") + "/" + Items.text(resource, "name");
  }

  /** A route table may be of thousands; the first ones give the idea. */
  private static String objects(List<JsonObject> objects) {
    if (objects.isEmpty()) {
      return "";
    }
    String first = Reported.key(objects.get(0));
    return objects.size() == 1 ? first : first + " and " + (objects.size() - 1) + " more";
  }
}
