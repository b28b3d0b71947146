// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Wakes somebody on the loop. The newest wish counts. */
final class Alarm {
  private final TimeSource time;
  private final Loop loop;
  private final Runnable sleeper;
  private TimeSource.@Nullable Timer timer;

  Alarm(TimeSource time, Loop loop, Runnable sleeper) {
    this.time = time;
    this.loop = loop;
    this.sleeper = sleeper;
  }

  void in(Duration after) {
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
