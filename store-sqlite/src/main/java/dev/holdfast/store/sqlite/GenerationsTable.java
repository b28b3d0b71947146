// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import dev.holdfast.config.Generations.Generation;
import dev.holdfast.config.ObjectKey;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Which generation each body is known under; no row is ever deleted. */
final class GenerationsTable {
  private final Database database;

  GenerationsTable(Database database) {
    this.database = database;
  }

  SortedMap<ObjectKey, Generation> assign(
      Map<ObjectKey, String> digests, Map<ObjectKey, Long> counted, Instant now)
      throws SQLException {
    SortedMap<ObjectKey, Generation> assigned = new TreeMap<>();
    for (Map.Entry<ObjectKey, String> entry : new TreeMap<>(digests).entrySet()) {
      Generation before = find(entry.getKey());
      Generation after =
          Generation.after(before, entry.getValue(), counted.get(entry.getKey()), now);
      if (!after.equals(before)) {
        put(entry.getKey(), after);
      }
      assigned.put(entry.getKey(), after);
    }
    return assigned;
  }

  SortedMap<ObjectKey, Generation> known(Set<ObjectKey> keys) throws SQLException {
    SortedMap<ObjectKey, Generation> known = new TreeMap<>();
    for (ObjectKey key : keys) {
      Generation generation = find(key);
      if (generation != null) {
        known.put(key, generation);
      }
    }
    return known;
  }

  private @Nullable Generation find(ObjectKey key) throws SQLException {
    List<Generation> found =
        database.query(
            "SELECT number, digest, created FROM generations"
                + " WHERE kind = ? AND namespace = ? AND name = ?",
            row ->
                new Generation(
                    row.getLong(1), Database.text(row, 2), Instant.parse(Database.text(row, 3))),
            key.kind(),
            key.namespace(),
            key.name());
    return found.isEmpty() ? null : found.get(0);
  }

  private void put(ObjectKey key, Generation generation) throws SQLException {
    database.update(
        "INSERT OR REPLACE INTO generations (kind, namespace, name, number, digest, created)"
            + " VALUES (?, ?, ?, ?, ?, ?)",
        key.kind(),
        key.namespace(),
        key.name(),
        generation.number(),
        generation.digest(),
        generation.created().toString());
  }
}
