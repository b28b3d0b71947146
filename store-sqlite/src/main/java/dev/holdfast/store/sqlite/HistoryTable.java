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
        entry.resource(),
        entry.proxy(),
        entry.message(),
        entry.took() == null ? null : entry.took().toString());
  }

  List<HistoryEntry> find(HistoryQuery query) throws SQLException {
    @Nullable ObjectKey object = query.object();
    if (object == null) {
      return List.copyOf(
          database.query(
              "SELECT " + COLUMNS + " FROM history WHERE id < ? ORDER BY id DESC LIMIT ?",
              HistoryTable::read,
              query.beforeId(),
              query.limit()));
    }
    return List.copyOf(
        database.query(
            "SELECT "
                + COLUMNS
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
