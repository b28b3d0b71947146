// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop;

import java.lang.management.ManagementFactory;

/** How much memory is in use when all that is of no use is gone. */
public final class Heap {
  private static final int TRIES = 4;

  private Heap() {}

  public static long megabytes() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < TRIES; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least >> 20;
  }
}
