// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import static dev.holdfast.config.StateStoreException.Kind.CLOSED;
import static dev.holdfast.config.StateStoreException.Kind.MOVED;
import static java.util.Objects.requireNonNull;

import dev.holdfast.config.StateStoreException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One connection, and every statement prepared once. Whoever uses it sees to it that one thread
 * does so at a time.
 *
 * <p>Whatever goes wrong leaves as a {@link StateStoreException} and leaves the file as it was.
 */
final class Database implements AutoCloseable {
  private final StateFile file;
  private final Connection connection;
  private final @Nullable Object identity;
  private final Map<String, PreparedStatement> statements = new HashMap<>();
  private boolean closed;

  private Database(StateFile file, Connection connection) throws IOException {
    this.file = file;
    this.connection = connection;
    identity = file.identity();
  }

  /** Opens a file that exists and is ours or empty, and brings it to today's format. */
  static Database open(StateFile file) {
    Connection connection = Connections.open(file);
    try {
      Database database = new Database(file, connection);
      Schema.CURRENT.bring(database);
      Connections.makeDurable(file, connection);
      return database;
    } catch (IOException e) {
      Connections.closeQuietly(connection);
      throw file.unusable(e);
    } catch (SQLException e) {
      Connections.closeQuietly(connection);
      throw SqliteErrors.of(file, "opening", e);
    } catch (RuntimeException | Error e) {
      Connections.closeQuietly(connection);
      throw e;
    }
  }

  StateFile file() {
    return file;
  }

  /** Does all of some work or nothing; when it is done it is durable. */
  <T> T write(String what, Work<T> work) {
    checkThere();
    return transaction("BEGIN IMMEDIATE", what, work);
  }

  /** Does some work that sees one state of the file. */
  <T> T read(String what, Work<T> work) {
    return transaction("BEGIN", what, work);
  }

  private <T> T transaction(String begin, String what, Work<T> work) {
    if (closed) {
      throw new StateStoreException(CLOSED, file + ": closed (expected: an open store)");
    }
    try {
      update(begin);
      T result = work.run();
      update("COMMIT");
      return result;
    } catch (SQLException e) {
      rollback();
      throw SqliteErrors.of(file, what, e);
    } catch (RuntimeException | Error e) {
      rollback();
      throw e;
    }
  }

  private void rollback() {
    // The driver gives a statement up that has failed, and says so only when it is used again.
    for (PreparedStatement statement : statements.values()) {
      Connections.closeQuietly(statement);
    }
    statements.clear();
    try {
      execute("ROLLBACK");
    } catch (SQLException e) {
      // After some errors SQLite has done so by itself. What led here is told, and says more.
    }
  }

  /** A file that was deleted takes writes as before, and loses them all. */
  private void checkThere() {
    if (closed) {
      return;
    }
    boolean there;
    try {
      there = identity == null || identity.equals(file.identity());
    } catch (IOException e) {
      there = false;
    }
    if (!there) {
      throw new StateStoreException(
          MOVED,
          file
              + ": moved, deleted or replaced while in use (put it back, or restart to go on with"
              + " what is there)");
    }
  }

  /** Runs a statement once. Whatever rows it gives are ignored. */
  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Runs a statement that gives no rows. */
  void update(String sql, @Nullable Object... values) throws SQLException {
    bind(sql, values).executeUpdate();
  }

  /** The values that a query gives. */
  <T> List<T> query(String sql, Row<T> row, @Nullable Object... values) throws SQLException {
    List<T> rows = new ArrayList<>();
    each(sql, result -> rows.add(row.read(result)), values);
    return rows;
  }

  /** Shows each row that a query gives. */
  void each(String sql, Visitor visitor, @Nullable Object... values) throws SQLException {
    try (ResultSet result = bind(sql, values).executeQuery()) {
      while (result.next()) {
        visit(result, visitor);
      }
    }
  }

  private void visit(ResultSet row, Visitor visitor) throws SQLException {
    try {
      visitor.visit(row);
    } catch (RuntimeException e) {
      throw SqliteErrors.damaged(file, e);
    }
  }

  private PreparedStatement bind(String sql, @Nullable Object[] values) throws SQLException {
    PreparedStatement statement = statements.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      statements.put(sql, statement);
    }
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      Connections.closeQuietly(connection);
    }
  }

  /** Something to do with the file. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws SQLException;
  }

  /** Is shown rows. Whatever it throws means that the file is damaged. */
  @FunctionalInterface
  interface Visitor {
    void visit(ResultSet row) throws SQLException;
  }

  /** Makes a value of a row. */
  @FunctionalInterface
  interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** A text that is never null. */
  static String text(ResultSet row, int column) throws SQLException {
    return requireNonNull(row.getString(column));
  }
}
