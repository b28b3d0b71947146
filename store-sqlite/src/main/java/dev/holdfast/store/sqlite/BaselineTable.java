// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Selection;
import java.sql.SQLException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The baseline. It is handed over as a whole and written as what became different, so that the cost
 * of writing follows the change.
 */
final class BaselineTable {
  private final Database database;
  private Selection written = Selection.empty();

  /** Until something goes wrong again, the file holds what was last written. */
  private long trueUntil = -1;

  BaselineTable(Database database) {
    this.database = database;
  }

  Selection current() throws SQLException {
    if (trueUntil != database.failures()) {
      SortedMap<ObjectKey, Long> generations = new TreeMap<>();
      database.each(
          "SELECT kind, namespace, name, generation FROM baseline",
          row ->
              generations.put(
                  new ObjectKey(
                      Database.text(row, 1), Database.text(row, 2), Database.text(row, 3)),
                  row.getLong(4)));
      written = new Selection(generations);
      trueUntil = database.failures();
    }
    return written;
  }

  /**
   * @param next null if it stays
   */
  void replace(@Nullable Selection next) throws SQLException {
    if (next == null) {
      return;
    }
    SortedMap<ObjectKey, Long> before = current().generations();
    for (Map.Entry<ObjectKey, Long> entry : next.generations().entrySet()) {
      if (!entry.getValue().equals(before.get(entry.getKey()))) {
        put(entry.getKey(), entry.getValue());
      }
    }
    for (ObjectKey key : before.keySet()) {
      if (!next.generations().containsKey(key)) {
        remove(key);
      }
    }
    written = next;
  }

  private void put(ObjectKey key, long generation) throws SQLException {
    database.update(
        "INSERT OR REPLACE INTO baseline (kind, namespace, name, generation) VALUES (?, ?, ?, ?)",
        key.kind(),
        key.namespace(),
        key.name(),
        generation);
  }

  private void remove(ObjectKey key) throws SQLException {
    database.update(
        "DELETE FROM baseline WHERE kind = ? AND namespace = ? AND name = ?",
        key.kind(),
        key.namespace(),
        key.name());
  }
}
