// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Wakes somebody on the loop. The newest wish counts. */
public final class WakeUpTimer {
  private final TimeSource time;
  private final Loop loop;
  private final Runnable sleeper;
  private TimeSource.@Nullable Timer timer;

  WakeUpTimer(TimeSource time, Loop loop, Runnable sleeper) {
    this.time = time;
    this.loop = loop;
    this.sleeper = sleeper;
  }

  public void in(Duration after) {
    cancel();
    timer = time.schedule(after, () -> loop.execute(this::ring));
  }

  private void ring() {
    timer = null;
    sleeper.run();
  }

  void cancel() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
