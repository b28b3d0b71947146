// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMException;
import javax.management.ObjectName;

/** What is reachable. */
public final class Heap {
  /** Less than one part in so many lost since the last look is nothing. */
  private static final int SETTLED = 1000;

  private static final int LOOKS = 20;
  private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(200);

  private Heap() {}

  /**
   * The bytes of all reachable objects of the process once nothing more becomes unreachable: work
   * that is still under way, and objects that a collection only hands to those who clean up after
   * them, do not count.
   */
  public static long settledBytes() {
    long least = reachableBytes();
    for (int lookedAgain = 0; lookedAgain < LOOKS; lookedAgain++) {
      LockSupport.parkNanos(BETWEEN_LOOKS);
      long now = reachableBytes();
      if (now >= least - least / SETTLED) {
        return Math.min(now, least);
      }
      least = now;
    }
    return least;
  }

  /**
   * The bytes of all reachable objects of the process: the sum of the class histogram that the JVM
   * makes after a full collection. Other than the used part of the heap it does not depend on how
   * the collector lays objects out.
   */
  public static long reachableBytes() {
    try {
      String histogram =
          (String)
              ManagementFactory.getPlatformMBeanServer()
                  .invoke(
                      new ObjectName("com.sun.management:type=DiagnosticCommand"),
                      "gcClassHistogram",
                      new Object[] {new String[0]},
                      new String[] {String[].class.getName()});
      String[] total = histogram.substring(histogram.lastIndexOf("Total")).trim().split("\\s+", -1);
      return Long.parseLong(total[2]);
    } catch (JMException e) {
      throw new IllegalStateException("no class histogram (expected: a HotSpot JVM)", e);
    }
  }
}
