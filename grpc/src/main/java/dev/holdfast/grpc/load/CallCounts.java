// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.load;

import java.util.Arrays;

/**
 * Calls from their beginning to their end, by how they ended. Threads that count seldom meet, since
 * each has one of some counters; whoever reads holds all of them for a moment, so that what is read
 * was so at one time.
 */
final class CallCounts {
  private static final int STRIPES =
      Integer.highestOneBit(Math.min(16, 2 * Runtime.getRuntime().availableProcessors()));

  private final Stripe[] stripes = new Stripe[STRIPES];

  /** Guarded by itself. */
  private static final class Stripe {
    long begun;
    long succeeded;
    long failed;
  }

  /** All since the beginning. */
  record Totals(long begun, long succeeded, long failed) {
    static final Totals NONE = new Totals(0, 0, 0);

    long underWay() {
      return begun - succeeded - failed;
    }
  }

  CallCounts() {
    Arrays.setAll(stripes, i -> new Stripe());
  }

  private Stripe mine() {
    long id = Thread.currentThread().getId();
    return stripes[(int) (id ^ (id >>> 4)) & (STRIPES - 1)];
  }

  void began() {
    Stripe stripe = mine();
    synchronized (stripe) {
      stripe.begun++;
    }
  }

  void ended(boolean well) {
    Stripe stripe = mine();
    synchronized (stripe) {
      if (well) {
        stripe.succeeded++;
      } else {
        stripe.failed++;
      }
    }
  }

  Totals read() {
    return read(0);
  }

  private Totals read(int held) {
    if (held == stripes.length) {
      long begun = 0;
      long succeeded = 0;
      long failed = 0;
      for (Stripe stripe : stripes) {
        begun += stripe.begun;
        succeeded += stripe.succeeded;
        failed += stripe.failed;
      }
      return new Totals(begun, succeeded, failed);
    }
    synchronized (stripes[held]) {
      return read(held + 1);
    }
  }
}
