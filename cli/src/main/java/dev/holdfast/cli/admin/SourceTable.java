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
import java.util.Set;

/** The table of {@code kubernetes status}. */
final class SourceTable {
  /** A kind that the cluster does not know has no objects that could be newer. */
  private static final Set<String> SETTLED = Set.of("current", "unknown");

  private SourceTable() {}

  static boolean isCurrent(JsonObject source) {
    return JsonFields.of(source, "kinds").stream()
        .allMatch(kind -> SETTLED.contains(JsonFields.text(kind, "state")));
  }

  static List<String> render(JsonObject source, Instant now, int width, Style style) {
    Table table =
        new Table(
            "",
            Column.of("KIND"),
            Column.of("NAMESPACE"),
            Column.of("OBJECTS"),
            Column.of("STATE"),
            Column.of("SINCE"),
            new Column("REASON", Overflow.WRAP, /* narrowest= */ 20));
    for (JsonObject kind : JsonFields.of(source, "kinds")) {
      String state = JsonFields.text(kind, "state");
      boolean isCurrent = state.equals("current");
      String namespace = JsonFields.text(kind, "namespace");
      table.add(
          "",
          Cell.of(JsonFields.text(kind, "kind")),
          Cell.of(namespace.isEmpty() ? "(all)" : namespace),
          Cell.of(JsonFields.text(kind, "objects")),
          Cell.of(state),
          Cell.of(isCurrent ? "" : ProxyTable.age(JsonFields.text(kind, "since"), now)),
          Cell.of(JsonFields.text(kind, "reason")));
    }
    List<String> lines = new ArrayList<>(table.render(width, style));
    String leader = JsonFields.text(source, "leader");
    lines.add("");
    lines.add(
        SafeText.text(
            JsonFields.text(source, "place")
                + (leader.isEmpty() ? "" : "; " + leader + " leads")
                + "; "
                + JsonFields.text(source, "waitingStatuses")
                + " statuses wait to be written"));
    return lines;
  }
}
