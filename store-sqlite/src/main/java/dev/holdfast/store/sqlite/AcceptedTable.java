// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Edits;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import dev.holdfast.config.ValueText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
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
        .query(
            "SELECT kind, namespace, name, api_version, uid, generation, created, labels,"
                + " annotations, body, digest FROM accepted",
            AcceptedTable::read)
        .forEach(spec -> all.put(spec.object().key(), spec));
    return all;
  }

  private static AcceptedSpec read(ResultSet row) throws SQLException {
    ObjectKey key =
        new ObjectKey(Database.text(row, 1), Database.text(row, 2), Database.text(row, 3));
    long generation = row.getLong(6);
    Position place = Position.of("stored generation " + generation + " of " + key);
    return new AcceptedSpec(
        new ConfigObject(
            key,
            Database.text(row, 4),
            Database.text(row, 5),
            generation,
            Instant.parse(Database.text(row, 7)),
            Texts.read(Database.text(row, 8), place),
            Texts.read(Database.text(row, 9), place),
            (Mapping) ValueText.parse(Database.text(row, 10), place)),
        Database.text(row, 11));
  }

  void apply(Edits<ObjectKey, AcceptedSpec> edits) throws SQLException {
    for (AcceptedSpec spec : edits.put().values()) {
      put(spec.object(), spec.digest());
    }
    for (ObjectKey key : edits.removed()) {
      database.update(
          "DELETE FROM accepted WHERE kind = ? AND namespace = ? AND name = ?",
          key.kind(),
          key.namespace(),
          key.name());
    }
  }

  private void put(ConfigObject object, String digest) throws SQLException {
    database.update(
        "INSERT OR REPLACE INTO accepted (kind, namespace, name, api_version, uid, generation,"
            + " created, labels, annotations, body, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        object.key().kind(),
        object.key().namespace(),
        object.key().name(),
        object.apiVersion(),
        object.uid(),
        object.generation(),
        object.created().toString(),
        Texts.write(object.labels()),
        Texts.write(object.annotations()),
        ValueText.of(object.body()),
        digest);
  }
}
