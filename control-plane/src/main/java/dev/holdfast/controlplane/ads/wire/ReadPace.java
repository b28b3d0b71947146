// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import java.time.Duration;

/**
 * How fast the requests of one stream are read. Of a request, only what exceeds the limits is
 * dropped, such as the end of a long error text. No proxy needs to send that, and to receive it
 * takes the server longer than to handle all the rest: so a stream that goes on with it is read
 * ever more slowly, until it sends no more than this.
 */
final class ReadPace {
  /** Of bytes that are dropped. */
  static final int PER_SECOND = 64 << 10;

  /** As many come at once. */
  static final int BURST = 1 << 20;

  private static final double SECOND = Duration.ofSeconds(1).toNanos();

  private double credit = BURST;
  private long last;

  /**
   * @param now on the clock of {@code TimeSource.nanoTime}
   */
  ReadPace(long now) {
    this.last = now;
  }

  /** A request was read, and so many bytes of it dropped; returns how long to read no other one. */
  Duration dropped(long bytes, long now) {
    if (bytes <= 0) {
      return Duration.ZERO;
    }
    credit = Math.min(BURST, credit + (now - last) / SECOND * PER_SECOND) - bytes;
    last = now;
    return credit >= 0 ? Duration.ZERO : Duration.ofNanos((long) (-credit / PER_SECOND * SECOND));
  }
}
