// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a tree again and again, and reads only the files that changed since the last time. A
 * file that was written only just before it was read is read again: a further write in the same
 * tick of the file system's clock would leave no trace.
 *
 * <p>Not thread-safe.
 */
final class DirectoryScan {
  private static final Duration COARSEST_CLOCK = Duration.ofSeconds(2);

  private record Known(FileStamp stamp, boolean settled, FileReading reading) {}

  private final Path root;
  private Map<String, Known> known = new HashMap<>();

  DirectoryScan(Path root) {
    this.root = root;
  }

  /** Looks at the tree as it is now. */
  Scan scan(Instant now) {
    Findings findings = new Findings();
    Listing listing = Listing.of(root, findings);
    SortedMap<String, FileReading> files = new TreeMap<>();
    Map<String, Known> next = new HashMap<>();
    listing
        .files()
        .forEach(
            (name, file) -> {
              FileStamp stamp = stamp(file);
              Known before = known.get(name);
              FileReading reading;
              if (before != null && before.settled() && before.stamp().equals(stamp)) {
                reading = before.reading();
              } else {
                reading = FileReader.read(name, file);
              }
              files.put(name, reading);
              if (stamp != null) {
                boolean settled = stamp.modified().toInstant().isBefore(now.minus(COARSEST_CLOCK));
                next.put(name, new Known(stamp, settled, reading));
              }
            });
    known = next;
    return new Scan(
        files, List.copyOf(listing.unreadable()), findings.list(), listing.directories());
  }

  private static @Nullable FileStamp stamp(Path file) {
    try {
      return FileStamp.of(file);
    } catch (IOException e) {
      return null; // reading it will tell why
    }
  }
}
