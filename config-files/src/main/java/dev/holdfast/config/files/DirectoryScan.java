// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
 * was renamed into its place is whole at once, and so is everything when the tree is first seen.
 *
 * <p>No change overtakes another: whoever lets a host leave a Service and then deletes the Service
 * must not be seen to have done only the second. So a change, also a deletion, waits for all that
 * began before it or was first seen with it.
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
   * @param stamp null if the file is gone
   * @param settled whether no further write can have gone unnoticed
   * @param reading what was last read; null if it was never read
   * @param change null unless the file has changed since it was read
   */
  private record Known(
      @Nullable FileStamp stamp,
      boolean settled,
      @Nullable FileResult reading,
      @Nullable Change change) {}

  /**
   * A change that is not read yet.
   *
   * @param since when the file was first seen to change
   * @param last when it was last seen to change
   * @param isWhole whether nothing more of it is to come: the file was renamed into its place, or
   *     is gone
   */
  private record Change(Duration since, Duration last, boolean isWhole) {}

  private final Path root;
  private final TreeLimits limits;
  private final WatchTimings timings;
  private boolean seen;
  private final BiFunction<String, ListedFile, FileResult> reader;
  private Map<String, Known> known = new HashMap<>();

  /** Files where nothing can be seen now. When they are seen again they are not new. */
  private Map<String, Known> hidden = new HashMap<>();

  private List<Path> directories = List.of();

  DirectoryScan(Path root, TreeLimits limits, WatchTimings timings) {
    this(root, limits, timings, FileReader::read);
  }

  /** For tests that want to know, or to do something, when a file is read. */
  DirectoryScan(
      Path root,
      TreeLimits limits,
      WatchTimings timings,
      BiFunction<String, ListedFile, FileResult> reader) {
    this.root = root;
    this.limits = limits;
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
        seen |= !scan.mayHide(root.toString());
        return scan;
      }
    }
  }

  private static Map<String, FileStamp> stamps(Map<String, Known> known) {
    Map<String, FileStamp> stamps = new HashMap<>();
    known.forEach(
        (name, file) -> {
          if (file.stamp() != null) {
            stamps.put(name, file.stamp());
          }
        });
    return stamps;
  }

  private Map<String, FileStamp> stampsNow() {
    Map<String, FileStamp> stamps = new HashMap<>();
    FileLister.of(root, limits, new ProblemCollector())
        .files()
        .forEach(
            (name, file) -> {
              FileStamp stamp = file.stamp();
              if (stamp != null) {
                stamps.put(name, stamp);
              }
            });
    return stamps;
  }

  private ScanResult pass(Instant now, Duration clock) {
    ProblemCollector collector = new ProblemCollector();
    FileLister lister = FileLister.of(root, limits, collector);
    Map<String, FileStamp> stamps = new HashMap<>();
    lister
        .files()
        .forEach(
            (name, file) -> {
              FileStamp stamp = file.stamp();
              if (stamp != null) {
                stamps.put(name, stamp);
              }
            });
    showHidden(lister);
    Map<String, Change> waiting = waiting(lister.files().keySet(), stamps, clock);
    SortedMap<String, FileResult> files = new TreeMap<>();
    Map<String, Known> next = new HashMap<>();
    lister
        .files()
        .forEach(
            (name, file) -> {
              FileStamp stamp = stamps.get(name);
              Known before = known.get(name);
              Change change = waiting.get(name);
              FileResult reading;
              if (change != null) {
                reading = before == null ? null : before.reading();
              } else if (before != null
                  && before.settled()
                  && before.change() == null
                  && Objects.equals(before.stamp(), stamp)) {
                reading = before.reading();
              } else {
                reading = reader.apply(name, file);
              }
              if (reading != null) {
                files.put(name, reading);
              }
              boolean settled =
                  change == null
                      && stamp != null
                      && stamp.modified().toInstant().isBefore(now.minus(COARSEST_CLOCK));
              next.put(name, new Known(stamp, settled, reading, change));
            });
    waiting.forEach(
        (name, change) -> {
          Known before = known.get(name);
          if (!next.containsKey(name) && before != null && before.reading() != null) {
            files.put(name, before.reading());
            next.put(name, new Known(null, /* settled= */ false, before.reading(), change));
          }
        });
    known = next;
    if (!lister.isTooLarge()) { // else those that were watched before tell when it shrinks
      directories = lister.directories();
    }
    return new ScanResult(
        files,
        List.copyOf(lister.unreadable()),
        collector.list(),
        lister.isTooLarge() && directories.isEmpty() ? List.of(root) : directories,
        !waiting.isEmpty(),
        files.keySet().containsAll(lister.files().keySet()));
  }

  /**
   * Sets aside the files that are where nothing can be seen now, and takes back the others: a file
   * that was out of sight is not a new one that may still be written, of which nothing would count.
   */
  private void showHidden(FileLister lister) {
    known.putAll(hidden);
    hidden = new HashMap<>();
    for (Map.Entry<String, Known> file : known.entrySet()) {
      if (!lister.files().containsKey(file.getKey()) && lister.mayHide(file.getKey())) {
        hidden.put(file.getKey(), file.getValue());
      }
    }
    known.keySet().removeAll(hidden.keySet());
  }

  /** The changes that are not to be read yet, by file. */
  private Map<String, Change> waiting(
      Set<String> present, Map<String, FileStamp> stamps, Duration clock) {
    Map<String, Change> changes = new HashMap<>();
    if (!seen || timings.settle().isZero()) {
      return changes;
    }
    stamps.forEach(
        (name, stamp) -> {
          Change change = change(known.get(name), stamp, clock);
          if (change != null) {
            changes.put(name, change);
          }
        });
    known.forEach(
        (name, before) -> {
          if (!present.contains(name)) {
            changes.put(name, removal(before, clock));
          }
        });
    Duration firstUnfinished =
        changes.values().stream()
            .filter(change -> !isFinished(change, clock))
            .map(Change::since)
            .min(Comparator.naturalOrder())
            .orElse(null);
    changes
        .values()
        .removeIf(
            change ->
                isTakingTooLong(change, clock)
                    || (isFinished(change, clock)
                        && (firstUnfinished == null
                            || change.last().compareTo(firstUnfinished) < 0)));
    return changes;
  }

  /** What is to be read of a file; null if nothing. */
  private static @Nullable Change change(@Nullable Known before, FileStamp stamp, Duration clock) {
    Change earlier = before == null ? null : before.change();
    if (before != null && stamp.equals(before.stamp())) {
      return earlier;
    }
    return new Change(
        earlier == null ? clock : earlier.since(),
        clock,
        stamp.isPutInPlace(before == null ? null : before.stamp()));
  }

  private static Change removal(Known before, Duration clock) {
    Change earlier = before.change();
    if (earlier != null && before.stamp() == null) {
      return earlier;
    }
    return new Change(earlier == null ? clock : earlier.since(), clock, /* isWhole= */ true);
  }

  private boolean isFinished(Change change, Duration clock) {
    return change.isWhole()
        || clock.minus(change.last()).compareTo(timings.settle()) >= 0
        || isTakingTooLong(change, clock);
  }

  private boolean isTakingTooLong(Change change, Duration clock) {
    return clock.minus(change.since()).compareTo(timings.settleLimit()) >= 0;
  }
}
