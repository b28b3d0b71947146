// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.Edits;
import dev.holdfast.config.ObjectKey;
import java.sql.SQLException;
import java.util.SortedMap;
import java.util.TreeMap;

/** The last accepted generation of each object. */
final class AcceptedTable {
  private final Database database;

  AcceptedTable(Database database) {
    this.database = database;
  }

  SortedMap<ObjectKey, AcceptedSpec> all() throws SQLException {
    SortedMap<ObjectKey, AcceptedSpec> all = new TreeMap<>();
    database
        .query("SELECT " + SpecColumns.COLUMNS + " FROM accepted", SpecColumns::read)
        .forEach(spec -> all.put(spec.object().key(), spec));
    return all;
  }

  void apply(Edits<ObjectKey, AcceptedSpec> edits) throws SQLException {
    for (AcceptedSpec spec : edits.put().values()) {
      database.update(
          "INSERT OR REPLACE INTO accepted ("
              + SpecColumns.COLUMNS
              + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
          SpecColumns.values(spec.object().key(), spec));
    }
    for (ObjectKey key : edits.removed()) {
      database.update(
          "DELETE FROM accepted WHERE kind = ? AND namespace = ? AND name = ?",
          key.kind(),
          key.namespace(),
          key.name());
    }
  }
}
