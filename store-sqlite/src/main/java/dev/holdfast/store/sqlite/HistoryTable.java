// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.ObjectKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happened. Ids have no gaps and the newest entry is never dropped, so the largest id tells
 * both which id is next and which entries are too many.
 */
final class HistoryTable {
  private static final String COLUMNS =
      "id, at, kind, object_kind, object_namespace, object_name, generation, resource, proxy,"
          + " message, took";

  /** The same with texts that are not longer than they may be, whoever wrote them. */
  private static final String SHORT_COLUMNS =
      "id, at, kind, object_kind, object_namespace, object_name, generation, "
          + shortened("resource", 4_096)
          + ", "
          + shortened("proxy", 4_096)
          + ", "
          + shortened("message", 65_536)
          + ", took";

  /** A text function of SQLite would end a text at its first NUL. */
  private static String shortened(String column, int most) {
    return "CASE WHEN length(CAST(%1$s AS BLOB)) <= %3$d THEN %1$s ELSE substr(%1$s, 1, %2$d) END"
        .formatted(column, most, 4 * most);
  }

  /** How many characters of a message are kept. */
  static final int LONGEST_MESSAGE = 65_536;

  /** How many characters of a name are kept. */
  static final int LONGEST_NAME = 4_096;

  private final Database database;
  private final int limit;

  HistoryTable(Database database, int limit) {
    this.database = database;
    this.limit = limit;
  }

  void append(List<HistoryEntry> entries) throws SQLException {
    if (entries.isEmpty()) {
      return;
    }
    long id = database.query("SELECT max(id) FROM history", row -> row.getLong(1)).get(0);
    // Of more than fit, the first would only be written to be dropped.
    id += Math.max(0, entries.size() - limit);
    for (HistoryEntry entry :
        entries.subList(Math.max(0, entries.size() - limit), entries.size())) {
      id++;
      put(entry, id);
    }
    database.update("DELETE FROM history WHERE id <= ?", id - limit);
  }

  private void put(HistoryEntry entry, long id) throws SQLException {
    @Nullable ObjectKey object = entry.object();
    database.update(
        "INSERT INTO history (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        id,
        entry.at().toString(),
        entry.kind().name(),
        object == null ? null : object.kind(),
        object == null ? null : object.namespace(),
        object == null ? null : object.name(),
        entry.generation(),
        cut(entry.resource(), LONGEST_NAME),
        cut(entry.proxy(), LONGEST_NAME),
        cut(entry.message(), LONGEST_MESSAGE),
        entry.took() == null ? null : entry.took().toString());
  }

  private static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most);
  }

  List<HistoryEntry> find(HistoryQuery query) throws SQLException {
    @Nullable ObjectKey object = query.object();
    if (object == null) {
      return List.copyOf(
          database.query(
              "SELECT " + SHORT_COLUMNS + " FROM history WHERE id < ? ORDER BY id DESC LIMIT ?",
              HistoryTable::read,
              query.beforeId(),
              query.limit()));
    }
    return List.copyOf(
        database.query(
            "SELECT "
                + SHORT_COLUMNS
                + " FROM history WHERE object_kind = ? AND object_namespace = ?"
                + " AND object_name = ? AND id < ? ORDER BY id DESC LIMIT ?",
            HistoryTable::read,
            object.kind(),
            object.namespace(),
            object.name(),
            query.beforeId(),
            query.limit()));
  }

  private static HistoryEntry read(ResultSet row) throws SQLException {
    @Nullable String took = row.getString(11);
    return new HistoryEntry(
        row.getLong(1),
        Instant.parse(Database.text(row, 2)),
        new HistoryEntry.Kind(Database.text(row, 3)),
        row.getString(4) == null
            ? null
            : new ObjectKey(Database.text(row, 4), Database.text(row, 5), Database.text(row, 6)),
        row.getLong(7),
        Database.text(row, 8),
        Database.text(row, 9),
        Database.text(row, 10),
        took == null ? null : Duration.parse(took));
  }
}
