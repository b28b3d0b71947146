// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import dev.holdfast.cli.output.Style;
import dev.holdfast.cli.output.Style.Colour;
import dev.holdfast.cli.output.Table;
import dev.holdfast.cli.output.Table.Cell;
import dev.holdfast.cli.output.Table.Column;
import dev.holdfast.cli.output.Table.Overflow;
import dev.holdfast.cli.output.Times;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Entries for people. Version and age are those of the resource in use: where they are missing, so
 * is it.
 */
final class EntryTable {
  private static final String NOTHING = "-";

  private EntryTable() {}

  static List<String> render(List<Entry> entries, Instant now, int width, Style style) {
    if (entries.isEmpty()) {
      return List.of("no resources");
    }
    Table table =
        new Table(
            "ERROR",
            Column.of("TYPE"),
            new Column("NAME", Overflow.WRAP, /* narrowest= */ 16),
            Column.of("STATE"),
            new Column("VERSION", Overflow.CUT, /* narrowest= */ 10),
            Column.of("AGE"));
    for (Entry entry : entries) {
      table.add(
          error(entry),
          Cell.of(entry.type()),
          Cell.of(entry.name()),
          new Cell(entry.state(), colour(entry)),
          Cell.of(entry.version() == null || entry.version().isEmpty() ? NOTHING : entry.version()),
          Cell.of(entry.updated() == null ? NOTHING : Times.age(entry.updated(), now)));
    }
    return table.render(width, style);
  }

  private static String error(Entry entry) {
    Entry.Problem problem = entry.problem();
    if (problem == null) {
      return "";
    }
    return Stream.of(Objects.requireNonNullElse(problem.code(), ""), problem.message())
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(": "));
  }

  private static Colour colour(Entry entry) {
    return switch (entry.state()) {
      case "ACKED", "SYNCED" -> Colour.GOOD;
      case "REQUESTED", "NOT_SENT", "STALE", "UNKNOWN" -> Colour.NONE;
      default -> entry.cached() ? Colour.WARNING : Colour.BAD;
    };
  }
}
