// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/** What is reachable. */
public final class Heap {
  private Heap() {}

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
