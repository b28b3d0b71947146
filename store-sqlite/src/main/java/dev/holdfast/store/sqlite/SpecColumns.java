// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import static java.util.Objects.requireNonNull;

import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import dev.holdfast.config.ValueText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An accepted generation as columns. */
final class SpecColumns {
  static final String COLUMNS =
      "kind, namespace, name, api_version, uid, generation, created, labels, annotations, body,"
          + " digest";
  static final int COUNT = 11;

  private SpecColumns() {}

  static ObjectKey key(ResultSet row) throws SQLException {
    return new ObjectKey(Database.text(row, 1), Database.text(row, 2), Database.text(row, 3));
  }

  /** The generation in the first columns of a row. */
  static AcceptedSpec read(ResultSet row) throws SQLException {
    return requireNonNull(readIfAny(row));
  }

  /** The same; null if there is none. */
  static @Nullable AcceptedSpec readIfAny(ResultSet row) throws SQLException {
    ObjectKey key = key(row);
    long generation = row.getLong(6);
    if (row.wasNull()) {
      return null;
    }
    Position place = Position.of("stored generation " + generation + " of " + key);
    return new AcceptedSpec(
        new ConfigObject(
            key,
            Database.text(row, 4),
            Database.text(row, 5),
            generation,
            Instant.parse(Database.text(row, 7)),
            StringMapText.read(Database.text(row, 8), place),
            StringMapText.read(Database.text(row, 9), place),
            (Mapping) ValueText.parse(Database.text(row, 10), place)),
        Database.text(row, 11));
  }

  /** The values of the columns, and of those that follow. */
  static @Nullable Object[] values(
      ObjectKey key, @Nullable AcceptedSpec spec, @Nullable Object... more) {
    List<@Nullable Object> values = new ArrayList<>();
    values.addAll(List.of(key.kind(), key.namespace(), key.name()));
    if (spec == null) {
      while (values.size() < COUNT) {
        values.add(null);
      }
    } else {
      ConfigObject object = spec.object();
      values.addAll(
          List.of(
              object.apiVersion(),
              object.uid(),
              object.generation(),
              object.created().toString(),
              StringMapText.write(object.labels()),
              StringMapText.write(object.annotations()),
              ValueText.of(object.body()),
              spec.digest()));
    }
    values.addAll(Arrays.asList(more));
    return values.toArray();
  }
}
