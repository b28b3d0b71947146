// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import java.time.Duration;

/**
 * The timings of watching a directory tree.
 *
 * @param tick how often the file system is asked whether anything happened
 * @param quiet how long nothing must have happened before a tree is read, so that a change of
 *     several files is seen as one
 * @param patience after how long a tree is read although things go on happening
 * @param rescan how often a tree is read although nothing seems to have happened: file systems on a
 *     network tell nothing, and links may lead out of the tree
 * @param settle how long a file must not have changed before it is read, unless it was put in place
 *     by renaming; zero to read it at once
 * @param settleLimit after how long a file is read although it goes on changing
 */
public record WatchTimings(
    Duration tick,
    Duration quiet,
    Duration patience,
    Duration rescan,
    Duration settle,
    Duration settleLimit) {
  public WatchTimings {
    positive("tick", tick);
    positive("quiet", quiet);
    positive("patience", patience);
    positive("rescan", rescan);
    if (settle.isNegative()) {
      throw new IllegalArgumentException("settle: " + settle + " (expected: from zero)");
    }
    positive("settleLimit", settleLimit);
  }

  /** Those of a tree whose files are read at once. */
  public WatchTimings(Duration tick, Duration quiet, Duration patience, Duration rescan) {
    this(tick, quiet, patience, rescan, Duration.ZERO, Duration.ofSeconds(5));
  }

  /**
   * Ticks of 20 ms, quiet after 60 ms, read after 1 s at the latest and every 15 s; a file that is
   * being written is read when it has not changed for 500 ms, or after 5 s.
   */
  public static WatchTimings defaults() {
    return new WatchTimings(
        Duration.ofMillis(20),
        Duration.ofMillis(60),
        Duration.ofSeconds(1),
        Duration.ofSeconds(15),
        Duration.ofMillis(500),
        Duration.ofSeconds(5));
  }

  private static void positive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: a positive duration)");
    }
  }
}
