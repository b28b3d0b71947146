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
import java.util.Set;
import java.util.stream.Collectors;

/** The table of {@code get objects}, with the messages of false conditions. */
final class ObjectTable {
  static final String NOTHING = "-";

  /** The conditions that say whether an object is served as its author wants it. */
  private static final Set<String> SHOWN = Set.of("Valid", "Programmed");

  private ObjectTable() {}

  static List<String> render(JsonObject list, int width, Style style) {
    List<JsonObject> objects = JsonFields.of(list, "items");
    if (objects.isEmpty()) {
      return List.of("no objects");
    }
    Table table =
        new Table(
            "MESSAGE",
            new Column("NAMESPACE", Overflow.WRAP, /* narrowest= */ 9),
            new Column("KIND", Overflow.WRAP, /* narrowest= */ 9),
            new Column("NAME", Overflow.WRAP, /* narrowest= */ 12),
            Column.of("GEN"),
            Column.of("SERVED"),
            Column.of("VALID"),
            new Column("PROGRAMMED", Overflow.WRAP, /* narrowest= */ 10),
            Column.of("PROXIES"));
    for (JsonObject object : objects) {
      JsonObject valid = ReportedObject.condition(object, "Valid");
      JsonObject programmed = ReportedObject.condition(object, "Programmed");
      JsonObject proxies = JsonFields.object(object, "proxies");
      table.add(
          message(object),
          Cell.of(JsonFields.text(object, "namespace")),
          Cell.of(JsonFields.text(object, "kind")),
          Cell.of(JsonFields.text(object, "name")),
          Cell.of(JsonFields.text(object, "generation")),
          Cell.of(served(object)),
          new Cell(status(valid), colour(valid)),
          new Cell(reason(programmed), colour(programmed)),
          Cell.of(
              JsonFields.number(proxies, "programmed")
                  + "/"
                  + JsonFields.number(proxies, "total")));
    }
    return table.render(width, style);
  }

  static String served(JsonObject object) {
    long served = JsonFields.number(object, "servedGeneration");
    return served == 0 ? NOTHING : Long.toString(served);
  }

  private static String status(JsonObject condition) {
    String status = JsonFields.text(condition, "status");
    return status.isEmpty() ? NOTHING : status;
  }

  /** The reason says more than the status; a reason that is the type itself says nothing new. */
  private static String reason(JsonObject condition) {
    String reason = JsonFields.text(condition, "reason");
    return reason.isEmpty() || reason.equals(JsonFields.text(condition, "type"))
        ? status(condition)
        : status(condition) + "/" + reason;
  }

  /** What concerns only some clients is no alarm. */
  static Colour colour(JsonObject condition) {
    return switch (JsonFields.text(condition, "status")) {
      case "True" -> Colour.GOOD;
      case "False" ->
          SHOWN.contains(JsonFields.text(condition, "type")) ? Colour.BAD : Colour.WARNING;
      case "Unknown" -> Colour.WARNING;
      default -> Colour.NONE;
    };
  }

  /** What is wrong, once: Programmed often quotes what Valid says. */
  private static String message(JsonObject object) {
    List<String> messages =
        JsonFields.of(object, "conditions").stream()
            .filter(condition -> SHOWN.contains(JsonFields.text(condition, "type")))
            .filter(condition -> JsonFields.text(condition, "status").equals("False"))
            .map(condition -> JsonFields.text(condition, "message"))
            .filter(text -> !text.isEmpty())
            .distinct()
            .toList();
    return messages.stream()
        .filter(text -> messages.stream().noneMatch(other -> isPartOf(text, other)))
        .collect(Collectors.joining("; "));
  }

  private static boolean isPartOf(String text, String other) {
    return !text.equals(other) && other.contains(text);
  }
}
