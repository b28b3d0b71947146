// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop;

import java.lang.management.ManagementFactory;

/** How much memory is in use when all that is of no use is gone. */
public final class Heap {
  private static final int MOST_TRIES = 4;

  /** What the JVM makes for itself between two looks. */
  private static final long LITTLE = 256 << 10;

  private Heap() {}

  public static long megabytes() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < MOST_TRIES; i++) {
      System.gc();
      long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      if (used > least - LITTLE) {
        return Math.min(used, least) >> 20; // what is left now stays
      }
      least = used;
    }
    return least >> 20;
  }
}
