// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.dataplane;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One endpoint of one of many clusters gets another weight. Measured is what the threads of the
 * client use until they are idle again: reading the response, acknowledging it, and all that
 * follows from it.
 */
final class EndpointChange {
  /** Long enough for any side to be done with one change before the next. */
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(40);

  private final Mesh mesh;
  private final int clusters;
  private int made;

  EndpointChange(Mesh mesh, int clusters) {
    this.mesh = mesh;
    this.clusters = clusters;
  }

  /** The milliseconds of CPU that one of some changes takes, on average. */
  double cpuMillis(int changes) {
    long before = ServerThreads.clientNanos();
    for (int i = 0; i < changes; i++) {
      made++;
      mesh.reweigh(made % clusters, 1 + made);
      LockSupport.parkNanos(PAUSE);
    }
    double millis = (ServerThreads.clientNanos() - before) / 1e6 / changes;
    mesh.call(); // it still works
    return millis;
  }
}
