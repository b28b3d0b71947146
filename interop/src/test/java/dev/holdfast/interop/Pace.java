// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Clients that ask all the time, but leave the machine to those whom they ask. */
public final class Pace {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private Pace() {}

  /** Between one request and the next. */
  public static void keep() {
    LockSupport.parkNanos(PAUSE_NANOS);
  }
}
