// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.holdfast.cli.client.AdminClient;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.output.SafeText;
import dev.holdfast.cli.output.Style;
import dev.holdfast.cli.output.Style.Colour;
import dev.holdfast.cli.output.Table;
import dev.holdfast.cli.output.Table.Cell;
import dev.holdfast.cli.output.Table.Column;
import dev.holdfast.cli.output.Table.Overflow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is not in force as it is written.
 *
 * @param objects whose newest generation is not in force, or not all of it
 * @param sourceProblems of files: what they say is not known
 */
record FleetDiff(List<ObjectDiff> objects, List<String> sourceProblems) {
  /**
   * @param namespace null for all
   */
  static FleetDiff read(AdminClient client, @Nullable String namespace) {
    String query = namespace == null ? "" : "?namespace=" + AdminClient.encode(namespace);
    List<ObjectDiff> objects =
        JsonFields.of(client.get("/api/v1/objects" + query), "items").stream()
            .map(ObjectDiff::of)
            .filter(object -> object.isExpected() && object.isIncomplete())
            .toList();
    return new FleetDiff(
        objects, JsonFields.texts(client.get("/api/v1/summary"), "sourceProblems"));
  }

  boolean isEmpty() {
    return objects.isEmpty() && sourceProblems.isEmpty();
  }

  JsonObject json() {
    JsonObject json = new JsonObject();
    JsonArray items = new JsonArray();
    objects.forEach(object -> items.add(object.json()));
    json.add("items", items);
    JsonArray files = new JsonArray();
    sourceProblems.forEach(files::add);
    json.add("sourceProblems", files);
    return json;
  }

  List<String> render(int width, Style style) {
    if (isEmpty()) {
      return List.of("no difference: the newest generation of every object in use is live");
    }
    List<String> lines = new ArrayList<>();
    if (!objects.isEmpty()) {
      lines.addAll(table().render(width, style));
    }
    sourceProblems.forEach(
        problem -> lines.add(style.apply(Colour.BAD, "not read: " + SafeText.text(problem))));
    return lines;
  }

  private Table table() {
    Table table =
        new Table(
            "MESSAGE",
            Column.of("NAMESPACE"),
            Column.of("KIND"),
            new Column("NAME", Overflow.WRAP, /* narrowest= */ 12),
            Column.of("NEWEST"),
            Column.of("LIVE"),
            Column.of("REASON"));
    for (ObjectDiff object : objects) {
      table.add(
          object.message(),
          Cell.of(JsonFields.text(object.object(), "namespace")),
          Cell.of(JsonFields.text(object.object(), "kind")),
          Cell.of(JsonFields.text(object.object(), "name")),
          Cell.of(Long.toString(object.generation())),
          Cell.of(live(object)),
          new Cell(object.reason(), object.isWrong() ? Colour.BAD : Colour.WARNING));
    }
    return table;
  }

  private static String live(ObjectDiff object) {
    if (object.served() == 0) {
      return ObjectTable.NOTHING;
    }
    return object.served() == object.generation() && object.isInPart()
        ? "part of " + object.served()
        : Long.toString(object.served());
  }
}
