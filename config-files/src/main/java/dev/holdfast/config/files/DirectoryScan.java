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
import java.util.function.BiFunction;
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

  /** Of a tree that never comes to rest something has to be said, too. */
  private static final int MOST_PASSES = 5;

  private record Known(FileStamp stamp, boolean settled, FileResult reading) {}

  private final Path root;
  private final BiFunction<String, Path, FileResult> reader;
  private Map<String, Known> known = new HashMap<>();

  DirectoryScan(Path root) {
    this(root, FileReader::read);
  }

  /** For tests that want to know, or to do something, when a file is read. */
  DirectoryScan(Path root, BiFunction<String, Path, FileResult> reader) {
    this.root = root;
    this.reader = reader;
  }

  /**
   * Looks at the tree as it is now. Whoever writes one file and then another that refers to it must
   * not be seen to have written only the second: a tree that changes while it is read is read
   * again.
   */
  ScanResult scan(Instant now) {
    Map<String, FileStamp> before = stamps(known);
    for (int passes = 1; ; passes++) {
      ScanResult scan = pass(now);
      Map<String, FileStamp> after = stamps(known);
      if (passes == MOST_PASSES || after.equals(before) || after.equals(stampsNow())) {
        return scan;
      }
    }
  }

  private static Map<String, FileStamp> stamps(Map<String, Known> known) {
    Map<String, FileStamp> stamps = new HashMap<>();
    known.forEach((name, file) -> stamps.put(name, file.stamp()));
    return stamps;
  }

  private Map<String, FileStamp> stampsNow() {
    Map<String, FileStamp> stamps = new HashMap<>();
    FileLister.of(root, new ProblemCollector())
        .files()
        .forEach(
            (name, file) -> {
              FileStamp stamp = stamp(file);
              if (stamp != null) {
                stamps.put(name, stamp);
              }
            });
    return stamps;
  }

  private ScanResult pass(Instant now) {
    ProblemCollector findings = new ProblemCollector();
    FileLister listing = FileLister.of(root, findings);
    SortedMap<String, FileResult> files = new TreeMap<>();
    Map<String, Known> next = new HashMap<>();
    listing
        .files()
        .forEach(
            (name, file) -> {
              FileStamp stamp = stamp(file);
              Known before = known.get(name);
              FileResult reading;
              if (before != null && before.settled() && before.stamp().equals(stamp)) {
                reading = before.reading();
              } else {
                reading = reader.apply(name, file);
              }
              files.put(name, reading);
              if (stamp != null) {
                boolean settled = stamp.modified().toInstant().isBefore(now.minus(COARSEST_CLOCK));
                next.put(name, new Known(stamp, settled, reading));
              }
            });
    known = next;
    return new ScanResult(
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
