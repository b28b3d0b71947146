// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.environment;

import dev.holdfast.base.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits, until somebody ends it all. */
public final class DemoClock {
  /** Long enough for any machine; reached only when something is wrong. */
  public static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Duration INTERVAL = Duration.ofMillis(10);

  private final TimeSource time;
  private final CountDownLatch stop = new CountDownLatch(1);

  DemoClock(TimeSource time) {
    this.time = time;
  }

  /** Something that becomes true, or cannot be asked yet. */
  @FunctionalInterface
  public interface Condition {
    boolean holds() throws IOException;
  }

  /** A moment to measure from. */
  public long nanos() {
    return time.nanoTime();
  }

  public Duration since(long nanos) {
    return Duration.ofNanos(time.nanoTime() - nanos);
  }

  /**
   * Waits until something is so; what cannot be asked is not so.
   *
   * @return whether it became so in time
   */
  public boolean await(Condition condition) {
    long start = nanos();
    while (true) {
      try {
        if (condition.holds()) {
          return true;
        }
      } catch (IOException e) {
        // whoever should answer is away
      }
      if (since(start).compareTo(PATIENCE) > 0) {
        return false;
      }
      pause(INTERVAL);
    }
  }

  /** Lets time pass. */
  public void pause(Duration duration) {
    try {
      if (stop.await(duration.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new DemoStoppedException();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DemoStoppedException();
    }
  }

  /** Returns when it was stopped. */
  public void awaitStop() {
    try {
      stop.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void stop() {
    stop.countDown();
  }
}
