// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import static dev.holdfast.config.StateStoreException.Kind.DAMAGED;
import static dev.holdfast.config.StateStoreException.Kind.IN_USE;
import static dev.holdfast.config.StateStoreException.Kind.UNUSABLE;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import dev.holdfast.config.StateStoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Copies of a state file, which are state files themselves. A copy appears under its name when it
 * is whole, checked and on the disk, and only its owner can read it.
 */
public final class StateBackup {
  /** What the file that was replaced is called from then on. */
  public static final String REPLACED = ".before-restore";

  private static final List<String> PARTS_OF_WRITE_AHEAD_LOG = List.of("-wal", "-shm");
  private static final int PIECE = 1 << 16;

  private StateBackup() {}

  /**
   * What a state file has.
   *
   * @param format the version of its tables
   * @param objects how many have a generation that was accepted
   * @param newest when the last entry of its history was made; null without a history
   */
  public record Summary(int format, long objects, @Nullable Instant newest) {}

  /**
   * Copies a state, also one that a server writes to meanwhile: the copy has everything up to one
   * moment.
   *
   * @param mayReplace whether a file of the same name is given up for the copy
   * @throws StateStoreException if there is no state, or the copy cannot be written
   */
  public static Summary write(Path state, Path backup, boolean mayReplace) {
    StateFile source = existing(state);
    StateFile target = StateFile.at(backup);
    if (target.equals(source)) {
      throw new StateStoreException(
          UNUSABLE, source + ": is the state itself (expected: another file for the backup)");
    }
    if (!mayReplace && Files.exists(target.path())) {
      throw new StateStoreException(
          UNUSABLE,
          "backup " + target.path() + ": exists already (choose another name, or --force)");
    }
    StateFile unfinished = new StateFile(target.sibling(".unfinished"));
    try {
      Files.deleteIfExists(unfinished.path());
      unfinished.create();
      try (Connection connection = Connections.openToRead(source)) {
        Schema.CURRENT.checkReadable(source, connection);
        copy(connection, unfinished.path());
      } catch (SQLException e) {
        throw SqliteErrors.of(source, "copying it", e);
      }
      Summary summary = check(unfinished);
      putInPlace(unfinished.path(), target.path());
      return summary;
    } catch (IOException e) {
      throw target.unusable(e);
    } finally {
      deleteQuietly(unfinished.path());
    }
  }

  /**
   * Puts a backup in the place of a state that no server uses. What was there is kept beside it,
   * with {@link #REPLACED} behind its name.
   *
   * @throws StateStoreException if a server uses the state, or the backup is none; the state is
   *     then as it was
   */
  public static Summary restore(Path backup, Path state) {
    StateFile source = existing(backup);
    StateFile target = StateFile.at(state);
    if (target.equals(source)) {
      throw new StateStoreException(
          UNUSABLE, source + ": is the state itself (expected: the file of a backup)");
    }
    for (String part : PARTS_OF_WRITE_AHEAD_LOG) {
      if (Files.exists(source.sibling(part))) {
        throw new StateStoreException(
            IN_USE,
            source
                + ": a server uses it, or was killed ("
                + source.sibling(part).getFileName()
                + " is there; expected: what 'holdfast state backup' wrote)");
      }
    }
    StateFile unfinished = new StateFile(target.sibling(".unfinished"));
    ProcessLock lock = ProcessLock.acquire(target);
    try {
      Files.deleteIfExists(unfinished.path());
      unfinished.create();
      copy(source.path(), unfinished.path());
      Summary summary = check(unfinished);
      setAside(target);
      putInPlace(unfinished.path(), target.path());
      return summary;
    } catch (IOException e) {
      throw target.unusable(e);
    } finally {
      deleteQuietly(unfinished.path());
      lock.close();
    }
  }

  private static StateFile existing(Path path) {
    StateFile file = StateFile.at(path);
    if (!Files.exists(file.path())) {
      throw new StateStoreException(
          UNUSABLE, file + ": no such file (expected: one that a server has used)");
    }
    return file;
  }

  private static void copy(Connection connection, Path target) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("VACUUM INTO ?")) {
      statement.setString(1, target.toString());
      statement.execute();
    }
  }

  private static void copy(Path source, Path target) throws IOException {
    try (InputStream in = Files.newInputStream(source);
        OutputStream out = Files.newOutputStream(target, StandardOpenOption.WRITE)) {
      byte[] piece = new byte[PIECE];
      for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
        out.write(piece, 0, length);
      }
    }
  }

  /** Reads all of it, and says what is in it. */
  private static Summary check(StateFile file) {
    try (Connection connection = Connections.openToRead(file);
        Statement statement = connection.createStatement()) {
      int format = Schema.CURRENT.checkReadable(file, connection);
      try (ResultSet result = statement.executeQuery("PRAGMA integrity_check(1)")) {
        String finding = result.next() ? result.getString(1) : "nothing";
        if (!"ok".equals(finding)) {
          throw new StateStoreException(
              DAMAGED, file + ": damaged: " + finding + " (restore another backup)");
        }
      }
      long objects;
      try (ResultSet result = statement.executeQuery("SELECT count(*) FROM accepted")) {
        objects = result.next() ? result.getLong(1) : 0;
      }
      try (ResultSet result =
          statement.executeQuery("SELECT at FROM history ORDER BY id DESC LIMIT 1")) {
        return new Summary(
            format, objects, result.next() ? Instant.parse(result.getString(1)) : null);
      }
    } catch (SQLException e) {
      throw SqliteErrors.of(file, "reading it", e);
    }
  }

  /**
   * Keeps a copy of what is to be replaced. A file that SQLite can read gets everything that was
   * committed to it first; of one that is damaged, the write-ahead log is kept, too.
   */
  private static void setAside(StateFile state) throws IOException {
    if (!Files.exists(state.path())) {
      return;
    }
    try {
      Database.open(state).close(); // which ends the write-ahead log
    } catch (StateStoreException e) {
      // It is kept as it is.
    }
    StateFile replaced = new StateFile(state.sibling(REPLACED));
    for (String part : PARTS_OF_WRITE_AHEAD_LOG) {
      Files.deleteIfExists(replaced.sibling(part));
      if (Files.exists(state.sibling(part))) {
        Files.move(state.sibling(part), replaced.sibling(part));
      }
    }
    StateFile unfinished = new StateFile(state.sibling(REPLACED + ".unfinished"));
    Files.deleteIfExists(unfinished.path());
    unfinished.create();
    copy(state.path(), unfinished.path());
    putInPlace(unfinished.path(), replaced.path());
  }

  private static void putInPlace(Path unfinished, Path target) throws IOException {
    try (FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.WRITE)) {
      channel.force(/* metaData= */ true);
    }
    Files.move(unfinished, target, ATOMIC_MOVE, REPLACE_EXISTING);
  }

  private static void deleteQuietly(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      // What led here is told, and says more.
    }
  }
}
