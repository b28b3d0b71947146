// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import dev.holdfast.base.TimeSource;
import java.time.Duration;

/**
 * Limits the share of the loop's time that some work takes. Work that has taken more than its share
 * waits until the average is right again; a single task may be longer. Loop only.
 */
public final class LoopShare {
  /** How much longer everything else may take than this work. */
  private static final int PAUSE = 4;

  /** Short work never waits. */
  private static final long BURST = Duration.ofMillis(50).toNanos();

  private final TimeSource time;
  private final Runnable wake;

  /** What may be used now; negative if more was used. */
  private long left = BURST;

  private long last;
  private boolean waiting;

  /**
   * @param wake called when work may go on that had to wait, on any thread
   */
  public LoopShare(TimeSource time, Runnable wake) {
    this.time = time;
    this.wake = wake;
    this.last = time.nanoTime();
  }

  /** Whether work may begin. If not, it will be told when it may. */
  public boolean isOpen() {
    refill();
    if (left >= 0) {
      return true;
    }
    if (!waiting) {
      waiting = true;
      time.schedule(Duration.ofNanos(-left * PAUSE), wake);
    }
    return false;
  }

  /** Work that had to wait goes on. */
  public void woken() {
    waiting = false;
  }

  /** Does some work, and measures it. */
  public void run(Runnable work) {
    refill();
    long start = time.nanoTime();
    try {
      work.run();
    } finally {
      long took = time.nanoTime() - start;
      left -= took;
      last += took; // the work itself earns nothing
    }
  }

  private void refill() {
    long now = time.nanoTime();
    left = Math.min(BURST, left + (now - last) / PAUSE);
    last = now;
  }
}
