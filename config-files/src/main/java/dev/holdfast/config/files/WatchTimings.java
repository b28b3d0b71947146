// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import java.time.Duration;

/**
 * How changes are noticed.
 *
 * @param tick how often the file system is asked whether anything happened
 * @param quiet how long nothing must have happened before a tree is read, so that a change of
 *     several files is seen as one
 * @param patience after how long a tree is read although things go on happening
 * @param rescan how often a tree is read although nothing seems to have happened: file systems on a
 *     network tell nothing, and links may lead out of the tree
 */
public record WatchTimings(Duration tick, Duration quiet, Duration patience, Duration rescan) {
  public WatchTimings {
    positive("tick", tick);
    positive("quiet", quiet);
    positive("patience", patience);
    positive("rescan", rescan);
  }

  /** Ticks of 20 ms, quiet after 60 ms, read after 1 s at the latest and every 15 s. */
  public static WatchTimings defaults() {
    return new WatchTimings(
        Duration.ofMillis(20),
        Duration.ofMillis(60),
        Duration.ofSeconds(1),
        Duration.ofSeconds(15));
  }

  private static void positive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: more than none)");
    }
  }
}
