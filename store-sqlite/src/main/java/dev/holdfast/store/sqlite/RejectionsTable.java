// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import dev.holdfast.config.Edits;
import dev.holdfast.config.Rejection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;

/** The resource versions that proxies rejected. */
final class RejectionsTable {
  private final Database database;

  RejectionsTable(Database database) {
    this.database = database;
  }

  SortedMap<Rejection.Key, Rejection> all() throws SQLException {
    SortedMap<Rejection.Key, Rejection> all = new TreeMap<>();
    database
        .query(
            "SELECT proxy_class, node_id, type_url, resource_name, version, message, at"
                + " FROM rejections",
            RejectionsTable::read)
        .forEach(rejection -> all.put(rejection.key(), rejection));
    return all;
  }

  private static Rejection read(ResultSet row) throws SQLException {
    return new Rejection(
        Database.text(row, 1),
        Database.text(row, 2),
        Database.text(row, 3),
        Database.text(row, 4),
        Database.text(row, 5),
        Database.text(row, 6),
        Instant.parse(Database.text(row, 7)));
  }

  void apply(Edits<Rejection.Key, Rejection> edits) throws SQLException {
    for (Rejection rejection : edits.put().values()) {
      database.update(
          "INSERT OR REPLACE INTO rejections (proxy_class, node_id, type_url, resource_name,"
              + " version, message, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
          rejection.proxyClass(),
          rejection.nodeId(),
          rejection.typeUrl(),
          rejection.resourceName(),
          rejection.version(),
          rejection.message(),
          rejection.at().toString());
    }
    for (Rejection.Key key : edits.removed()) {
      database.update(
          "DELETE FROM rejections WHERE proxy_class = ? AND node_id = ? AND type_url = ?"
              + " AND resource_name = ? AND version = ?",
          key.proxyClass(),
          key.nodeId(),
          key.typeUrl(),
          key.resourceName(),
          key.version());
    }
  }
}
