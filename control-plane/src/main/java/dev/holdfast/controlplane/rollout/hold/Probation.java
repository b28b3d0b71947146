// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.hold;

import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.rollout.selection.Bundle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Keeps those who were refused not long ago apart: who makes mistakes delays nobody else. */
public final class Probation {
  private final HoldTable holds;
  private final TimeSource time;
  private final Duration probation;

  public Probation(HoldTable holds, TimeSource time, Duration probation) {
    this.holds = holds;
    this.time = time;
    this.probation = probation;
  }

  /** What goes next: all who have a clean record; of the others one by one. */
  public List<Bundle> next(List<Bundle> units) {
    long now = time.nanoTime();
    List<Bundle> clean = new ArrayList<>();
    for (Bundle unit : units) {
      if (unit.objects().keySet().stream()
          .noneMatch(key -> holds.onProbation(key, now, probation.toNanos()))) {
        clean.add(unit);
      }
    }
    return clean.isEmpty() && !units.isEmpty() ? units.subList(0, 1) : clean;
  }
}
