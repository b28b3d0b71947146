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
import java.util.stream.Collectors;

/** Objects for people; of those that are not well, why. */
final class ObjectTable {
  static final String NOTHING = "-";

  private ObjectTable() {}

  static List<String> render(JsonObject list, int width, Style style) {
    List<JsonObject> objects = Items.of(list, "items");
    if (objects.isEmpty()) {
      return List.of("no objects");
    }
    Table table =
        new Table(
            "MESSAGE",
            Column.of("NAMESPACE"),
            Column.of("KIND"),
            new Column("NAME", Overflow.WRAP, /* narrowest= */ 12),
            Column.of("GENERATION"),
            Column.of("SERVED"),
            Column.of("VALID"),
            new Column("PROGRAMMED", Overflow.WRAP, /* narrowest= */ 10),
            Column.of("PROXIES"));
    for (JsonObject object : objects) {
      JsonObject valid = Reported.condition(object, "Valid");
      JsonObject programmed = Reported.condition(object, "Programmed");
      JsonObject proxies = Items.object(object, "proxies");
      table.add(
          message(object),
          Cell.of(Items.text(object, "namespace")),
          Cell.of(Items.text(object, "kind")),
          Cell.of(Items.text(object, "name")),
          Cell.of(Items.text(object, "generation")),
          Cell.of(served(object)),
          new Cell(status(valid), colour(valid)),
          new Cell(reason(programmed), colour(programmed)),
          Cell.of(Items.number(proxies, "programmed") + "/" + Items.number(proxies, "total")));
    }
    return table.render(width, style);
  }

  static String served(JsonObject object) {
    long served = Items.number(object, "servedGeneration");
    return served == 0 ? NOTHING : Long.toString(served);
  }

  private static String status(JsonObject condition) {
    String status = Items.text(condition, "status");
    return status.isEmpty() ? NOTHING : status;
  }

  /** The reason says more than the status; a reason that is the type itself says nothing new. */
  private static String reason(JsonObject condition) {
    String reason = Items.text(condition, "reason");
    return reason.isEmpty() || reason.equals(Items.text(condition, "type"))
        ? status(condition)
        : status(condition) + "/" + reason;
  }

  static Colour colour(JsonObject condition) {
    return switch (Items.text(condition, "status")) {
      case "True" -> Colour.GOOD;
      case "False" -> Colour.BAD;
      case "Unknown" -> Colour.WARNING;
      default -> Colour.NONE;
    };
  }

  private static String message(JsonObject object) {
    return Items.of(object, "conditions").stream()
        .filter(condition -> Items.text(condition, "status").equals("False"))
        .map(condition -> Items.text(condition, "message"))
        .filter(text -> !text.isEmpty())
        .distinct()
        .collect(Collectors.joining("; "));
  }
}
