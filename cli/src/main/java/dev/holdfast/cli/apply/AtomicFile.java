// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.apply;

import dev.holdfast.cli.CommandException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes files so that whoever reads them finds either what was there or what is. */
final class AtomicFile {
  private AtomicFile() {}

  /**
   * Puts content in the place of a file. A link stays, and what it leads to is replaced.
   *
   * @param before what the file must still hold; null if there must be none
   * @throws CommandException if it cannot be done; the file is then as it was
   */
  static void write(Path file, byte[] content, byte @Nullable [] before) {
    try {
      Path real = before == null ? file : file.toRealPath();
      check(real, before);
      // The server leaves out what begins with a dot.
      Path next = real.resolveSibling("." + real.getFileName() + "." + pid() + ".tmp");
      try {
        save(next, content);
        copyPermissions(real, next);
        Files.move(next, real, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(next);
      }
    } catch (IOException e) {
      throw new CommandException(file + ": cannot be written: " + e, e);
    }
  }

  private static void check(Path file, byte @Nullable [] before) throws IOException {
    boolean same =
        before == null ? !Files.exists(file) : Arrays.equals(before, Files.readAllBytes(file));
    if (!same) {
      throw new CommandException(
          file + ": was changed meanwhile by somebody else; run the command again");
    }
  }

  private static long pid() {
    return ProcessHandle.current().pid();
  }

  private static void save(Path file, byte[] content) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer buffer = ByteBuffer.wrap(content);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(/* metaData= */ true);
    }
  }

  private static void copyPermissions(Path from, Path to) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(to, PosixFileAttributeView.class);
    if (view != null && Files.exists(from)) {
      view.setPermissions(Files.getPosixFilePermissions(from));
    }
  }
}
