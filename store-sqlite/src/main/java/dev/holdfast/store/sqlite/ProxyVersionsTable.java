// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import dev.holdfast.config.Edits;
import dev.holdfast.config.Holder;
import java.sql.SQLException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Which version of all that they ask for proxies hold. */
final class ProxyVersionsTable {
  private final Database database;

  ProxyVersionsTable(Database database) {
    this.database = database;
  }

  SortedMap<Holder, String> all() throws SQLException {
    SortedMap<Holder, String> all = new TreeMap<>();
    database.each(
        "SELECT node_id, type_url, version FROM held",
        row ->
            all.put(
                new Holder(Database.text(row, 1), Database.text(row, 2)), Database.text(row, 3)));
    return all;
  }

  void apply(Edits<Holder, String> edits) throws SQLException {
    for (Map.Entry<Holder, String> edit : edits.put().entrySet()) {
      database.update(
          "INSERT OR REPLACE INTO held (node_id, type_url, version) VALUES (?, ?, ?)",
          edit.getKey().nodeId(),
          edit.getKey().typeUrl(),
          edit.getValue());
    }
    for (Holder gone : edits.removed()) {
      database.update(
          "DELETE FROM held WHERE node_id = ? AND type_url = ?", gone.nodeId(), gone.typeUrl());
    }
  }
}
