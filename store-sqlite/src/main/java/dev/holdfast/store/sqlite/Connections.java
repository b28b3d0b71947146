// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import static dev.holdfast.config.StateStoreException.Kind.UNUSABLE;

import dev.holdfast.config.StateStoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteJDBCLoader;

/**
 * How the file is opened.
 *
 * <p>SQLite is native code, which the driver unpacks into {@code java.io.tmpdir} (or {@code
 * org.sqlite.tmpdir}) and loads from there.
 */
final class Connections {
  private Connections() {}

  static Connection open(StateFile file) {
    return open(file, new Properties());
  }

  /** One that cannot change the file, nor make it. */
  static Connection openToRead(StateFile file) {
    SQLiteConfig settings = new SQLiteConfig();
    settings.setReadOnly(true);
    return open(file, settings.toProperties());
  }

  private static Connection open(StateFile file, Properties settings) {
    loadNativeCode(file);
    try {
      // A URI, because in a plain name the driver takes what follows a '?' for settings.
      Connection connection = JDBC.createConnection("jdbc:sqlite:" + file.path().toUri(), settings);
      try (Statement statement = connection.createStatement()) {
        // Only for those who look at the file with another program while we write.
        statement.execute("PRAGMA busy_timeout = 5000");
        statement.execute("PRAGMA temp_store = MEMORY");
        statement.execute("PRAGMA trusted_schema = OFF");
        statement.execute("PRAGMA cell_size_check = ON");
      } catch (SQLException e) {
        closeQuietly(connection);
        throw e;
      }
      return connection;
    } catch (SQLException e) {
      throw SqliteErrors.of(file, "opening", e);
    }
  }

  private static void loadNativeCode(StateFile file) {
    try {
      SQLiteJDBCLoader.initialize();
    } catch (Exception | LinkageError e) {
      throw new StateStoreException(
          UNUSABLE,
          file
              + ": SQLite cannot be loaded: "
              + e.getMessage()
              + " (files in "
              + System.getProperty("org.sqlite.tmpdir", System.getProperty("java.io.tmpdir"))
              + " must be executable; -Dorg.sqlite.tmpdir=DIR sets another directory"
              + " directory)",
          e);
    }
  }

  /** From here on a commit that returned survives the loss of power. */
  static void makeDurable(StateFile file, Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      try (ResultSet mode = statement.executeQuery("PRAGMA journal_mode = WAL")) {
        if (!mode.next() || !"wal".equals(mode.getString(1))) {
          throw new StateStoreException(
              UNUSABLE,
              file
                  + ": its file system does not support SQLite's write-ahead log (choose a file on a"
                  + " local disk)");
        }
      }
      statement.execute("PRAGMA synchronous = FULL");
      statement.execute("PRAGMA journal_size_limit = 16777216");
    }
  }

  /** Everything that was committed is durable already; closing can only tidy up. */
  static void closeQuietly(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception e) {
      // The next one to open the file tidies up.
    }
  }
}
