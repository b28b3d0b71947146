// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A cluster that a routing table and the calls that it sent there hold on to, so that it is not
 * taken away before their last attempt. Once nobody holds it any more it stays so. Thread-safe.
 */
final class HeldCluster {
  private final String name;
  private final Runnable onLetGo;
  private final AtomicInteger holders = new AtomicInteger(1);

  /** A cluster that the caller holds. */
  HeldCluster(String name, Runnable onLetGo) {
    this.name = name;
    this.onLetGo = onLetGo;
  }

  String name() {
    return name;
  }

  /** Holds on to it; false if it was let go already. */
  boolean hold() {
    int count;
    do {
      count = holders.get();
      if (count == 0) {
        return false;
      }
    } while (!holders.compareAndSet(count, count + 1));
    return true;
  }

  /** Undoes one {@link #hold}. */
  void letGo() {
    if (holders.decrementAndGet() == 0) {
      onLetGo.run();
    }
  }
}
