// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.controlplane.rollout.selection.DesiredObjects;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Those of whom it took too long to tell who is to blame: each is tried by itself, in its turn. */
public final class SlowRelease {
  private final DesiredObjects wishes;
  private final TimeSource time;
  private final Duration interval;
  private long next;

  public SlowRelease(DesiredObjects wishes, TimeSource time, Duration interval) {
    this.wishes = wishes;
    this.time = time;
    this.interval = interval;
    this.next = time.nanoTime();
  }

  /** Takes the next one; null if there is none, or it is not its turn: then the alarm is set. */
  public @Nullable ConfigObject takeIfDue(WakeUpTimer alarm) {
    if (!wishes.hasSlow()) {
      return null;
    }
    long now = time.nanoTime();
    if (next > now) {
      alarm.in(Duration.ofNanos(next - now));
      return null;
    }
    next = now + interval.toNanos();
    return wishes.takeSlow();
  }
}
