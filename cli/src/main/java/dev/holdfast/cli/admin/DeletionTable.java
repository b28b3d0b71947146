// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.output.SafeText;
import dev.holdfast.cli.output.Style;
import dev.holdfast.cli.output.Table;
import dev.holdfast.cli.output.Table.Cell;
import dev.holdfast.cli.output.Table.Column;
import dev.holdfast.cli.output.Table.Overflow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The table of {@code get deletions}. */
final class DeletionTable {
  private DeletionTable() {}

  static List<String> render(JsonObject list, Instant now, int width, Style style) {
    List<JsonObject> deletions = JsonFields.of(list, "items");
    if (deletions.isEmpty()) {
      return List.of("no deletion waits for a confirmation");
    }
    Table table =
        new Table(
            "",
            Column.of("NAMESPACE"),
            Column.of("KIND"),
            new Column("NAME", Overflow.WRAP, /* narrowest= */ 12),
            Column.of("GENERATION"),
            Column.of("AGE"));
    for (JsonObject deletion : deletions) {
      table.add(
          "",
          Cell.of(JsonFields.text(deletion, "namespace")),
          Cell.of(JsonFields.text(deletion, "kind")),
          Cell.of(JsonFields.text(deletion, "name")),
          Cell.of(JsonFields.text(deletion, "generation")),
          Cell.of(ProxyTable.age(JsonFields.text(deletion, "since"), now)));
    }
    List<String> lines = new ArrayList<>(table.render(width, style));
    List<String> hosts = JsonFields.texts(list, "hosts");
    lines.add("");
    lines.add(
        SafeText.text(
            "still served; with them disappear "
                + hosts.size()
                + (hosts.size() == 1 ? " host" : " hosts")
                + " ('holdfast confirm' deletes them, putting them back undoes it)"));
    return lines;
  }
}
