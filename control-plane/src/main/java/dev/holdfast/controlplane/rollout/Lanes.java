// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import dev.holdfast.base.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Keeps those who were refused not long ago apart: who makes mistakes delays nobody else. */
final class Lanes {
  private final Holds holds;
  private final TimeSource time;
  private final Duration probation;

  Lanes(Holds holds, TimeSource time, Duration probation) {
    this.holds = holds;
    this.time = time;
    this.probation = probation;
  }

  /** What goes next: all who have a clean record; of the others one by one. */
  List<Unit> next(List<Unit> units) {
    long now = time.nanoTime();
    List<Unit> clean = new ArrayList<>();
    for (Unit unit : units) {
      if (unit.objects().keySet().stream()
          .noneMatch(key -> holds.onProbation(key, now, probation.toNanos()))) {
        clean.add(unit);
      }
    }
    return clean.isEmpty() && !units.isEmpty() ? units.subList(0, 1) : clean;
  }
}
