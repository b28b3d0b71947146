// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import dev.holdfast.config.Edits;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.StoredStatus;
import java.sql.SQLException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The statuses of objects. */
final class StatusesTable {
  private final Database database;

  StatusesTable(Database database) {
    this.database = database;
  }

  SortedMap<ObjectKey, StoredStatus> all() throws SQLException {
    SortedMap<ObjectKey, StoredStatus> all = new TreeMap<>();
    database.each(
        "SELECT kind, namespace, name, generation, status FROM statuses",
        row ->
            all.put(
                new ObjectKey(Database.text(row, 1), Database.text(row, 2), Database.text(row, 3)),
                new StoredStatus(StatusText.parse(Database.text(row, 5)), row.getLong(4))));
    return all;
  }

  void apply(Edits<ObjectKey, StoredStatus> edits) throws SQLException {
    for (Map.Entry<ObjectKey, StoredStatus> put : edits.put().entrySet()) {
      database.update(
          "INSERT OR REPLACE INTO statuses (kind, namespace, name, generation, status)"
              + " VALUES (?, ?, ?, ?, ?)",
          put.getKey().kind(),
          put.getKey().namespace(),
          put.getKey().name(),
          put.getValue().generation(),
          StatusText.of(put.getValue().status()));
    }
    for (ObjectKey key : edits.removed()) {
      database.update(
          "DELETE FROM statuses WHERE kind = ? AND namespace = ? AND name = ?",
          key.kind(),
          key.namespace(),
          key.name());
    }
  }
}
