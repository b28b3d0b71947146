// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One timer that runs a task on the loop. A new time replaces the old one. */
public final class WakeUpTimer {
  private final TimeSource time;
  private final Loop loop;
  private final Runnable task;
  private TimeSource.@Nullable Timer timer;

  WakeUpTimer(TimeSource time, Loop loop, Runnable task) {
    this.time = time;
    this.loop = loop;
    this.task = task;
  }

  public void in(Duration after) {
    cancel();
    timer = time.schedule(after, () -> loop.execute(this::fire));
  }

  private void fire() {
    timer = null;
    task.run();
  }

  void cancel() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
