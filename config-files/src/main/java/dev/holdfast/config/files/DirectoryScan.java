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
 * <p>A file that is written step by step looks whole after each of them. So a file that changed
 * where it stands is not read before it has come to rest, and holds meanwhile what it held. What
 * was renamed into its place is read at once, and so is everything when the tree is first seen.
 *
 * <p>Not thread-safe.
 */
final class DirectoryScan {
  private static final Duration COARSEST_CLOCK = Duration.ofSeconds(2);

  /** Of a tree that never comes to rest something has to be said, too. */
  private static final int MOST_PASSES = 5;

  /**
   * A file that was seen.
   *
   * @param settled whether no further write can have gone unnoticed
   * @param reading what was last read; null if it was never read
   * @param changing null unless the file has changed since it was read
   */
  private record Known(
      FileStamp stamp,
      boolean settled,
      @Nullable FileResult reading,
      @Nullable Changing changing) {}

  /**
   * A change that is not read yet.
   *
   * @param since when the file was first seen to change
   * @param last when it was last seen to change
   */
  private record Changing(Duration since, Duration last) {}

  private final Path root;
  private final WatchTimings timings;
  private boolean seen;
  private final BiFunction<String, Path, FileResult> reader;
  private Map<String, Known> known = new HashMap<>();

  DirectoryScan(Path root, WatchTimings timings) {
    this(root, timings, FileReader::read);
  }

  /** For tests that want to know, or to do something, when a file is read. */
  DirectoryScan(Path root, WatchTimings timings, BiFunction<String, Path, FileResult> reader) {
    this.root = root;
    this.timings = timings;
    this.reader = reader;
  }

  /**
   * Looks at the tree as it is now. Whoever writes one file and then another that refers to it must
   * not be seen to have written only the second: a tree that changes while it is read is read
   * again.
   *
   * @param now the time that files are stamped with
   * @param clock a reading of a monotonic clock
   */
  ScanResult scan(Instant now, Duration clock) {
    Map<String, FileStamp> before = stamps(known);
    for (int passes = 1; ; passes++) {
      ScanResult scan = pass(now, clock);
      Map<String, FileStamp> after = stamps(known);
      if (passes == MOST_PASSES || after.equals(before) || after.equals(stampsNow())) {
        seen = true;
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

  private ScanResult pass(Instant now, Duration clock) {
    ProblemCollector collector = new ProblemCollector();
    FileLister lister = FileLister.of(root, collector);
    SortedMap<String, FileResult> files = new TreeMap<>();
    Map<String, Known> next = new HashMap<>();
    lister
        .files()
        .forEach(
            (name, file) -> {
              FileStamp stamp = stamp(file);
              Known before = known.get(name);
              Changing changing = stamp == null ? null : changing(before, stamp, clock);
              FileResult reading;
              if (changing != null) {
                reading = before == null ? null : before.reading();
              } else if (before != null && before.settled() && before.stamp().equals(stamp)) {
                reading = before.reading();
              } else {
                reading = reader.apply(name, file);
              }
              if (reading != null) {
                files.put(name, reading);
              }
              if (stamp != null) {
                boolean settled =
                    changing == null
                        && stamp.modified().toInstant().isBefore(now.minus(COARSEST_CLOCK));
                next.put(name, new Known(stamp, settled, reading, changing));
              }
            });
    known = next;
    return new ScanResult(
        files,
        List.copyOf(lister.unreadable()),
        collector.list(),
        lister.directories(),
        next.values().stream().anyMatch(file -> file.changing() != null));
  }

  /** The change that a file has to rest from before it is read; null if it is to be read. */
  private @Nullable Changing changing(@Nullable Known before, FileStamp stamp, Duration clock) {
    if (!seen || timings.settle().isZero()) {
      return null;
    }
    boolean isSame = before != null && before.stamp().equals(stamp);
    Changing earlier = before == null ? null : before.changing();
    if (isSame && earlier == null) {
      return null;
    }
    if (!isSame && stamp.isPutInPlace(before == null ? null : before.stamp())) {
      return null;
    }
    Changing now =
        new Changing(
            earlier == null ? clock : earlier.since(),
            isSame && earlier != null ? earlier.last() : clock);
    boolean rests = clock.minus(now.last()).compareTo(timings.settle()) >= 0;
    boolean tookTooLong = clock.minus(now.since()).compareTo(timings.settleLimit()) >= 0;
    return rests || tookTooLong ? null : now;
  }

  private static @Nullable FileStamp stamp(Path file) {
    try {
      return FileStamp.of(file);
    } catch (IOException e) {
      return null; // reading it will tell why
    }
  }
}
