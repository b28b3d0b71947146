// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import static dev.holdfast.config.StateStoreException.Kind.FOREIGN;
import static dev.holdfast.config.StateStoreException.Kind.UNUSABLE;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.holdfast.config.StateStoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The file that holds a state, by its real name.
 *
 * @param path the file; links are followed, so that two names of one file are the same
 */
record StateFile(Path path) {
  /** In the header of each file that we make; the letters HFst. */
  static final int APPLICATION_ID = 0x48467374;

  private static final byte[] MAGIC = "SQLite format 3\0".getBytes(US_ASCII);
  private static final int APPLICATION_ID_AT = 68;
  private static final int HEADER = 100;

  /** The file of a name, which may not exist yet. */
  static StateFile at(Path name) {
    Path file = name.toAbsolutePath();
    Path directory = file.getParent();
    Path last = file.getFileName();
    if (directory == null || last == null || Files.isDirectory(file)) {
      throw new StateStoreException(
          UNUSABLE, "state file " + file + ": is a directory (expected: a file)");
    }
    if (!Files.isDirectory(directory)) {
      throw new StateStoreException(
          UNUSABLE,
          "state file "
              + file
              + ": no such directory: "
              + directory
              + " (create it, or choose another file)");
    }
    try {
      return new StateFile(
          Files.exists(file) ? file.toRealPath() : directory.toRealPath().resolve(last));
    } catch (IOException e) {
      throw new StateFile(file).unusable(e);
    }
  }

  /** A file next to it. */
  Path sibling(String suffix) {
    return path.resolveSibling(path.getFileName() + suffix);
  }

  /**
   * Refuses a file that is not ours, before anything is done to it. Must not be called while this
   * process has the file open: closing what was opened here would release SQLite's locks on it.
   */
  void checkOurs() {
    byte[] header;
    try (InputStream in = Files.newInputStream(path)) {
      header = in.readNBytes(HEADER);
    } catch (NoSuchFileException e) {
      return;
    } catch (IOException e) {
      throw unusable(e);
    }
    if (header.length == 0) {
      return;
    }
    boolean sqlite =
        header.length == HEADER && Arrays.equals(header, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    if (!sqlite) {
      throw foreign("it is not a Holdfast state file");
    }
    // A journal means that the header may not be what it will be once the journal was played back.
    boolean ours = ByteBuffer.wrap(header).getInt(APPLICATION_ID_AT) == APPLICATION_ID;
    if (!ours && !Files.exists(sibling("-journal"))) {
      throw foreign("it is the database of another program");
    }
  }

  StateStoreException foreign(String what) {
    return new StateStoreException(
        FOREIGN, this + ": " + what + " (choose another file; this one was not changed)");
  }

  /** Makes the file if it is not there, for the eyes of its owner only. */
  void create() {
    boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] attributes =
        posix
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    try {
      if (!Files.exists(path)) {
        Files.createFile(path, attributes);
      }
    } catch (FileAlreadyExistsException e) {
      throw new StateStoreException(
          UNUSABLE, this + ": a broken symbolic link (remove it, or choose another file)", e);
    } catch (IOException e) {
      throw unusable(e);
    }
    if (!Files.isWritable(path)) {
      throw unusable(new AccessDeniedException(path.toString()));
    }
  }

  /** What tells this file from another that takes its name; null where there is no such thing. */
  @Nullable Object identity() throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  StateStoreException unusable(IOException e) {
    String why =
        e instanceof AccessDeniedException
            ? "permission denied"
            : e instanceof FileSystemException failed && failed.getReason() != null
                ? failed.getReason()
                : e.toString();
    return new StateStoreException(
        UNUSABLE,
        this + ": " + why + " (make it and its directory writable, or choose another file)",
        e);
  }

  @Override
  public String toString() {
    return "state file " + path;
  }
}
