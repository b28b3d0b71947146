// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import dev.holdfast.config.Edits;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** When each class of proxies was last seen. */
final class ClassesTable {
  private final Database database;

  ClassesTable(Database database) {
    this.database = database;
  }

  SortedMap<String, Instant> all() throws SQLException {
    SortedMap<String, Instant> all = new TreeMap<>();
    database.each(
        "SELECT proxy_class, seen FROM classes",
        row -> all.put(Database.text(row, 1), Instant.parse(Database.text(row, 2))));
    return all;
  }

  void apply(Edits<String, Instant> edits) throws SQLException {
    for (Map.Entry<String, Instant> edit : edits.put().entrySet()) {
      database.update(
          "INSERT OR REPLACE INTO classes (proxy_class, seen) VALUES (?, ?)",
          edit.getKey(),
          edit.getValue().toString());
    }
    for (String gone : edits.removed()) {
      database.update("DELETE FROM classes WHERE proxy_class = ?", gone);
    }
  }
}
