// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.hold;

import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.rollout.selection.Bundle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Tries objects that were refused recently one by one, so that they delay no other change. */
public final class Probation {
  private final HoldTable holds;
  private final TimeSource time;
  private final Duration probation;

  public Probation(HoldTable holds, TimeSource time, Duration probation) {
    this.holds = holds;
    this.time = time;
    this.probation = probation;
  }

  /** What to try next: all bundles without a recent rejection, else the first of the others. */
  public List<Bundle> next(List<Bundle> bundles) {
    long now = time.nanoTime();
    List<Bundle> clean = new ArrayList<>();
    for (Bundle bundle : bundles) {
      if (bundle.objects().keySet().stream()
          .noneMatch(key -> holds.onProbation(key, now, probation.toNanos()))) {
        clean.add(bundle);
      }
    }
    return clean.isEmpty() && !bundles.isEmpty() ? bundles.subList(0, 1) : clean;
  }
}
