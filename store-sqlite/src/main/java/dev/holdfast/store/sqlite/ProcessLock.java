// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import static dev.holdfast.config.StateStoreException.Kind.IN_USE;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.holdfast.config.StateStoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps other processes away from a state file, by a lock on a file next to it that says who has
 * it. The system lets the lock go when the process ends, however it ends. The file stays: to delete
 * it would take it from under a process that has just opened it.
 *
 * <p>SQLite's own exclusive mode would do the same without a second file, but nobody could then
 * look at the state, or copy it, while it is in use.
 */
final class ProcessLock implements AutoCloseable {
  /** A process loses its lock when it closes any descriptor of the file, so it opens only one. */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private static final Pattern PID = Pattern.compile("[0-9]{1,10}");

  /** Far beyond what is written, because on some systems nobody can read what is locked. */
  private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

  private final Path path;
  private final FileChannel channel;

  private ProcessLock(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /** Takes the lock, or throws; a file that is not a state is refused without touching anything. */
  static ProcessLock acquire(StateFile file) {
    Path path = file.sibling(".lock");
    if (!HELD.add(path)) {
      throw inUse(file, "this process");
    }
    @Nullable FileChannel channel = null;
    try {
      file.checkOurs();
      channel =
          FileChannel.open(
              path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock(LOCKED_BYTE, 1, /* shared= */ false);
      if (lock == null) {
        throw inUse(file, holder(path));
      }
      channel.truncate(0);
      channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(US_ASCII)), 0);
      return new ProcessLock(path, channel);
    } catch (IOException e) {
      release(path, channel);
      throw file.unusable(e);
    } catch (OverlappingFileLockException e) {
      release(path, channel);
      throw inUse(file, "this process");
    } catch (RuntimeException | Error e) {
      release(path, channel);
      throw e;
    }
  }

  private static String holder(Path path) {
    try {
      String pid = Files.readString(path, US_ASCII).strip();
      if (PID.matcher(pid).matches()) {
        return "another holdfast, process " + pid;
      }
    } catch (IOException e) {
      // Who it is would only be nice to know.
    }
    return "another holdfast";
  }

  private static StateStoreException inUse(StateFile file, String by) {
    return new StateStoreException(
        IN_USE, file + ": in use by " + by + " (stop it, or choose another file)");
  }

  /** Lets it go; once, because the next holder may already have it. */
  @Override
  public void close() {
    if (channel.isOpen()) {
      release(path, channel);
    }
  }

  private static void release(Path path, @Nullable FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // The lock is gone with the descriptor, and nothing else was to be done.
    } finally {
      HELD.remove(path);
    }
  }
}
