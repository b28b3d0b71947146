// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.filter;

import java.util.concurrent.atomic.AtomicLong;

/** The calls that a fault is happening to, of all channels of a process (gRFC A33). Thread-safe. */
public final class ActiveFaults {
  private final AtomicLong count = new AtomicLong();

  /** Counts one more; false if there are as many as there may be. */
  boolean begin(long max) {
    long now;
    do {
      now = count.get();
      if (now >= max) {
        return false;
      }
    } while (!count.compareAndSet(now, now + 1));
    return true;
  }

  /** Undoes one {@link #begin}. */
  void end() {
    count.decrementAndGet();
  }

  /** How many there are. */
  public long count() {
    return count.get();
  }
}
