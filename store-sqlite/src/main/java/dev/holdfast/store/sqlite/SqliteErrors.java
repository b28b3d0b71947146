// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import static dev.holdfast.config.StateStoreException.Kind.DAMAGED;
import static dev.holdfast.config.StateStoreException.Kind.FAILED;
import static dev.holdfast.config.StateStoreException.Kind.FULL;
import static dev.holdfast.config.StateStoreException.Kind.IN_USE;
import static dev.holdfast.config.StateStoreException.Kind.UNUSABLE;

import dev.holdfast.config.StateStoreException;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Translates SQLite's errors into messages with a remedy for the operator. */
final class SqliteErrors {
  private static final int PRIMARY = 0xff;

  private SqliteErrors() {}

  /**
   * @param what was being done
   */
  static StateStoreException of(StateFile file, String what, SQLException e) {
    if (!(e instanceof SQLiteException known)) {
      return other(file, what, e);
    }
    int code = known.getResultCode().code & PRIMARY;
    if (code == SQLiteErrorCode.SQLITE_FULL.code) {
      return new StateStoreException(
          FULL,
          file + ": no space left while " + what + "; nothing was changed (free disk space)",
          e);
    }
    if (code == SQLiteErrorCode.SQLITE_READONLY.code
        || code == SQLiteErrorCode.SQLITE_CANTOPEN.code
        || code == SQLiteErrorCode.SQLITE_PERM.code) {
      return new StateStoreException(
          UNUSABLE,
          file
              + ": not writable while "
              + what
              + "; nothing was changed (make it and its directory writable)",
          e);
    }
    if (code == SQLiteErrorCode.SQLITE_BUSY.code || code == SQLiteErrorCode.SQLITE_LOCKED.code) {
      return new StateStoreException(
          IN_USE, file + ": locked by another program while " + what + " (stop that program)", e);
    }
    if (code == SQLiteErrorCode.SQLITE_CORRUPT.code || code == SQLiteErrorCode.SQLITE_NOTADB.code) {
      return damaged(file, e);
    }
    if (code == SQLiteErrorCode.SQLITE_IOERR.code) {
      return new StateStoreException(
          FAILED,
          file
              + ": the disk failed while "
              + what
              + " ("
              + known.getResultCode()
              + "); nothing was changed (check the disk, its free space and quotas)",
          e);
    }
    return other(file, what, e);
  }

  private static StateStoreException other(StateFile file, String what, SQLException e) {
    return new StateStoreException(
        FAILED, file + ": " + e.getMessage() + " while " + what + " (check the disk)", e);
  }

  static StateStoreException damaged(StateFile file, Throwable e) {
    return new StateStoreException(
        DAMAGED,
        file
            + ": damaged: "
            + e.getMessage()
            + " (restore a backup, or move the file away to start with an empty state)",
        e);
  }
}
