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
  /** How many rejections of single proxies are kept, the newest. */
  static final int MOST = 20_000;

  /**
   * Texts longer than this were written by a version without limits, and would fill the memory when
   * they are read.
   */
  private static final int LONGEST = 1 << 20;

  private final Database database;

  RejectionsTable(Database database) {
    this.database = database;
  }

  SortedMap<Rejection.Key, Rejection> all() throws SQLException {
    SortedMap<Rejection.Key, Rejection> all = new TreeMap<>();
    database
        .query(
            "SELECT proxy_class, node_id, type_url, resource_name, version, message, at"
                + " FROM rejections"
                + " WHERE length(CAST(node_id AS BLOB)) + length(CAST(proxy_class AS BLOB))"
                + " + length(CAST(message AS BLOB)) <= ?",
            RejectionsTable::read,
            LONGEST)
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
    if (!edits.put().isEmpty()) {
      prune();
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

  /**
   * Forgets what single proxies rejected long ago: they name themselves, and could fill the file.
   * What a class of proxies rejected is evidence, and stays. Each row has a larger number than
   * those before it, so a long table is found without counting it.
   */
  private void prune() throws SQLException {
    long span =
        database
            .query(
                "SELECT ifnull(max(rowid) - min(rowid), 0) FROM rejections", row -> row.getLong(1))
            .get(0);
    if (span < MOST) {
      return;
    }
    long count =
        database
            .query("SELECT count(*) FROM rejections WHERE node_id <> ''", row -> row.getLong(1))
            .get(0);
    if (count > MOST + MOST / 10) {
      database.update(
          "DELETE FROM rejections WHERE rowid IN (SELECT rowid FROM rejections"
              + " WHERE node_id <> '' ORDER BY rowid LIMIT ?)",
          count - MOST);
    }
  }
}
