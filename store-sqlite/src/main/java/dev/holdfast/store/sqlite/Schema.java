// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import static dev.holdfast.config.StateStoreException.Kind.TOO_NEW;

import dev.holdfast.config.StateStoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The tables, as the steps that lead to them. The number of steps that were taken is the file's
 * {@code user_version}; a step that was ever released is never changed again. The table {@code
 * baseline} of the first step is no longer used; it stays, empty in new files.
 *
 * <p>Instants and durations are texts in ISO 8601, values are {@link
 * dev.holdfast.config.ValueText}, so that the file can be read with any tool for SQLite.
 *
 * @param steps the statements of each step
 */
record Schema(List<List<String>> steps) {
  static final Schema CURRENT =
      new Schema(
          List.of(
              List.of(
                  """
                  CREATE TABLE generations (
                    kind TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
                    number INTEGER NOT NULL, digest TEXT NOT NULL, created TEXT NOT NULL,
                    PRIMARY KEY (kind, namespace, name)
                  ) STRICT, WITHOUT ROWID
                  """,
                  """
                  CREATE TABLE accepted (
                    kind TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
                    api_version TEXT NOT NULL, uid TEXT NOT NULL, generation INTEGER NOT NULL,
                    created TEXT NOT NULL, labels TEXT NOT NULL, annotations TEXT NOT NULL,
                    body TEXT NOT NULL, digest TEXT NOT NULL,
                    PRIMARY KEY (kind, namespace, name)
                  ) STRICT
                  """,
                  """
                  CREATE TABLE rejections (
                    proxy_class TEXT NOT NULL, node_id TEXT NOT NULL, type_url TEXT NOT NULL,
                    resource_name TEXT NOT NULL, version TEXT NOT NULL,
                    message TEXT NOT NULL, at TEXT NOT NULL,
                    PRIMARY KEY (proxy_class, node_id, type_url, resource_name, version)
                  ) STRICT
                  """,
                  """
                  CREATE TABLE statuses (
                    kind TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
                    generation INTEGER NOT NULL, status TEXT NOT NULL,
                    PRIMARY KEY (kind, namespace, name)
                  ) STRICT
                  """,
                  """
                  CREATE TABLE baseline (
                    kind TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
                    generation INTEGER NOT NULL,
                    PRIMARY KEY (kind, namespace, name)
                  ) STRICT, WITHOUT ROWID
                  """,
                  """
                  CREATE TABLE history (
                    id INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL,
                    object_kind TEXT, object_namespace TEXT, object_name TEXT,
                    generation INTEGER NOT NULL, resource TEXT NOT NULL, proxy TEXT NOT NULL,
                    message TEXT NOT NULL, took TEXT
                  ) STRICT
                  """,
                  """
                  CREATE INDEX history_of_object
                  ON history (object_kind, object_namespace, object_name, id)
                  WHERE object_kind IS NOT NULL
                  """),
              List.of(
                  """
                  CREATE TABLE accepted_by_class (
                    proxy_class TEXT NOT NULL,
                    kind TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
                    api_version TEXT, uid TEXT, generation INTEGER,
                    created TEXT, labels TEXT, annotations TEXT, body TEXT, digest TEXT,
                    PRIMARY KEY (proxy_class, kind, namespace, name)
                  ) STRICT
                  """,
                  """
                  CREATE TABLE classes (
                    proxy_class TEXT NOT NULL PRIMARY KEY, seen TEXT NOT NULL
                  ) STRICT
                  """),
              List.of(
                  """
                  CREATE TABLE held (
                    node_id TEXT NOT NULL, type_url TEXT NOT NULL, version TEXT NOT NULL,
                    PRIMARY KEY (node_id, type_url)
                  ) STRICT, WITHOUT ROWID
                  """)));

  /** Takes the steps that are missing, in one transaction; refuses what is foreign or newer. */
  void bring(Database database) {
    int version = database.read("opening", () -> check(database));
    if (version < steps.size()) {
      database.write("upgrading it to format " + steps.size(), () -> take(database, version));
    }
  }

  private int check(Database database) throws SQLException {
    int application = number(database, "PRAGMA application_id");
    int version = number(database, "PRAGMA user_version");
    boolean untouched =
        application == 0
            && version == 0
            && number(database, "SELECT count(*) FROM sqlite_schema") == 0;
    if (application != StateFile.APPLICATION_ID && !untouched) {
      throw foreign(database.file());
    }
    checkNotNewer(database.file(), version);
    return version;
  }

  /**
   * The format of a file that is ours and not newer than this; an older one stays as it is.
   *
   * @throws StateStoreException if it is anything else
   */
  int checkReadable(StateFile file, Connection connection) throws SQLException {
    if (number(connection, "PRAGMA application_id") != StateFile.APPLICATION_ID) {
      throw foreign(file);
    }
    int version = number(connection, "PRAGMA user_version");
    checkNotNewer(file, version);
    return version;
  }

  private static int number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      return result.next() ? result.getInt(1) : 0;
    }
  }

  private static StateStoreException foreign(StateFile file) {
    return file.foreign("it is the database of another program");
  }

  private void checkNotNewer(StateFile file, int version) {
    if (version > steps.size()) {
      throw new StateStoreException(
          TOO_NEW,
          file
              + ": written by a newer Holdfast, in format "
              + version
              + " (expected: at most "
              + steps.size()
              + "; run that version again, or choose another file)");
    }
  }

  private Schema take(Database database, int from) throws SQLException {
    for (List<String> step : steps.subList(from, steps.size())) {
      for (String statement : step) {
        database.execute(statement);
      }
    }
    database.execute("PRAGMA application_id = " + StateFile.APPLICATION_ID);
    database.execute("PRAGMA user_version = " + steps.size());
    return this;
  }

  private static int number(Database database, String sql) throws SQLException {
    return database.query(sql, row -> row.getInt(1)).get(0);
  }
}
