// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import dev.holdfast.config.Position;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether anything happened in some directories. What happened is of no interest: only a look
 * tells the truth. Where the system cannot watch, that is a problem to report, and nothing worse.
 *
 * <p>Not thread-safe.
 */
final class DirectoryWatcher implements AutoCloseable {
  private final String source;
  private final @Nullable WatchService service;
  private final Map<Path, WatchKey> keys = new HashMap<>();
  private @Nullable String failure;

  DirectoryWatcher(Path root) {
    source = root.toString();
    WatchService opened = null;
    try {
      opened = root.getFileSystem().newWatchService();
    } catch (IOException | UnsupportedOperationException e) {
      failure = FileReader.reason(e);
    }
    service = opened;
  }

  /** Whether anything happened since the last call. */
  boolean happened() {
    if (service == null) {
      return false;
    }
    boolean happened = false;
    try {
      for (WatchKey key = service.poll(); key != null; key = service.poll()) {
        happened = true;
        key.pollEvents();
        if (!key.reset()) { // the directory is gone
          keys.values().remove(key);
        }
      }
    } catch (ClosedWatchServiceException e) {
      return false;
    }
    return happened;
  }

  /**
   * Watches these directories and no others. True if one is new: it may have changed between the
   * look that found it and now.
   */
  boolean watch(List<Path> directories) {
    if (service == null) {
      return false;
    }
    Set<Path> gone = new HashSet<>(keys.keySet());
    directories.forEach(gone::remove);
    for (Path directory : gone) {
      WatchKey key = keys.remove(directory);
      if (key != null) {
        key.cancel();
      }
    }
    boolean grown = false;
    String failed = null;
    for (Path directory : directories) {
      if (keys.containsKey(directory)) {
        continue;
      }
      try {
        keys.put(
            directory,
            directory.register(
                service,
                StandardWatchEventKinds.ENTRY_CREATE,
                StandardWatchEventKinds.ENTRY_MODIFY,
                StandardWatchEventKinds.ENTRY_DELETE));
        grown = true;
      } catch (NoSuchFileException | NotDirectoryException e) {
        grown = true; // gone since it was seen: look again
      } catch (IOException e) {
        failed = FileReader.reason(e);
      }
    }
    failure = failed;
    return grown;
  }

  /** Notes what keeps changes from being noticed at once. */
  void report(ProblemCollector findings) {
    if (failure != null) {
      findings.unsupported(
          FieldPath.ROOT,
          Position.of(source),
          "cannot be watched: " + failure + " (changes are noticed later, by looking)");
    }
  }

  @Override
  public void close() {
    try {
      if (service != null) {
        service.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
