// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Holds the next read of a stream back until everybody who was told of a response is done with it.
 * Counts down from any thread.
 */
final class ReadBarrier {
  /** One is held by the engine itself until it has told everybody. */
  private final AtomicInteger holders = new AtomicInteger(1);

  private final Runnable whenReleased;

  ReadBarrier(Runnable whenReleased) {
    this.whenReleased = whenReleased;
  }

  void hold() {
    holders.incrementAndGet();
  }

  void release() {
    if (holders.decrementAndGet() == 0) {
      whenReleased.run();
    }
  }
}
