// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ClassSpec;
import dev.holdfast.config.Edits;
import dev.holdfast.config.ObjectKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What single classes of proxies are served; a row without a generation is nothing at all. */
final class ClassSpecsTable {
  private final Database database;

  ClassSpecsTable(Database database) {
    this.database = database;
  }

  SortedMap<ClassSpec.Key, ClassSpec> all() throws SQLException {
    SortedMap<ClassSpec.Key, ClassSpec> all = new TreeMap<>();
    database
        .query(
            "SELECT " + SpecColumns.COLUMNS + ", proxy_class FROM accepted_by_class",
            ClassSpecsTable::read)
        .forEach(spec -> all.put(spec.key(), spec));
    return all;
  }

  private static ClassSpec read(ResultSet row) throws SQLException {
    return new ClassSpec(
        Database.text(row, SpecColumns.COUNT + 1),
        SpecColumns.key(row),
        SpecColumns.readIfAny(row));
  }

  void apply(Edits<ClassSpec.Key, ClassSpec> edits) throws SQLException {
    for (ClassSpec spec : edits.put().values()) {
      put(spec.proxyClass(), spec.object(), spec.spec());
    }
    for (ClassSpec.Key key : edits.removed()) {
      database.update(
          "DELETE FROM accepted_by_class"
              + " WHERE kind = ? AND namespace = ? AND name = ? AND proxy_class = ?",
          key.object().kind(),
          key.object().namespace(),
          key.object().name(),
          key.proxyClass());
    }
  }

  private void put(String proxyClass, ObjectKey key, @Nullable AcceptedSpec spec)
      throws SQLException {
    database.update(
        "INSERT OR REPLACE INTO accepted_by_class ("
            + SpecColumns.COLUMNS
            + ", proxy_class) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        SpecColumns.values(key, spec, proxyClass));
  }
}
