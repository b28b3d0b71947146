// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.controlplane.rollout.selection.DesiredObjects;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Retries the suspects of an abandoned search one at a time, in a fixed rhythm. */
public final class SlowRelease {
  private final DesiredObjects desired;
  private final TimeSource time;
  private final Duration interval;
  private long next;

  public SlowRelease(DesiredObjects desired, TimeSource time, Duration interval) {
    this.desired = desired;
    this.time = time;
    this.interval = interval;
    this.next = time.nanoTime();
  }

  /** The next suspect; null if there is none, or it is too early: then the timer is set. */
  public @Nullable ConfigObject takeIfDue(WakeUpTimer timer) {
    if (!desired.hasAlone()) {
      return null;
    }
    long now = time.nanoTime();
    if (next > now) {
      timer.in(Duration.ofNanos(next - now));
      return null;
    }
    next = now + interval.toNanos();
    return desired.takeAlone();
  }
}
