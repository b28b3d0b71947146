// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.scout;

import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.translate.Translation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whether the rollout of scouts gets on with what is pending. If it does not, whatever the reason,
 * nobody waits for it.
 */
final class Progress {
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private final TimeSource time;
  private @Nullable Translation baseline;
  private @Nullable Trial trial;
  private int holds;
  private long last;

  Progress(TimeSource time) {
    this.time = time;
  }

  void begin() {
    last = time.nanoTime();
  }

  /**
   * @param isProbing whether requests are under way through a scout, which has a limit of its own
   */
  @SuppressWarnings("ReferenceEquality") // what has not changed is the same
  void see(Rollout rollout, boolean isProbing) {
    boolean isTheSame =
        rollout.baseline() == baseline
            && rollout.trial() == trial
            && rollout.holds().size() == holds;
    if (!isTheSame || rollout.isIdle() || isProbing) {
      last = time.nanoTime();
    }
    baseline = rollout.baseline();
    trial = rollout.trial();
    holds = rollout.holds().size();
  }

  boolean isStuck() {
    return time.nanoTime() - last >= LONGEST.toNanos();
  }
}
