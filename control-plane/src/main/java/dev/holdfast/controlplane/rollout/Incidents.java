// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import dev.holdfast.controlplane.report.Totals;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/** The rejections that are over, whichever rollout they were of. */
final class Incidents {
  private static final int MOST = 200;

  private final Deque<Incident> past = new ArrayDeque<>();
  private long last;
  private long pushes;
  private long ended;
  private Duration took = Duration.ZERO;

  /** Takes up what an earlier life knew; newest first. */
  void remember(List<Incident> earlier) {
    earlier.stream().limit(MOST).forEach(past::addLast);
    last = earlier.stream().mapToLong(Incident::id).max().orElse(0);
  }

  long nextId() {
    return ++last;
  }

  void pushed() {
    pushes++;
  }

  /** What all of them have cost together. */
  Totals.Searches searches() {
    return new Totals.Searches(pushes, ended, took);
  }

  void add(Incident incident, Duration took) {
    ended++;
    this.took = this.took.plus(took);
    past.addFirst(incident);
    if (past.size() > MOST) {
      past.removeLast();
    }
  }

  /** Those of some rollouts that go on, and all that are remembered, newest first. */
  List<Incident> all(Collection<Rollout> rollouts) {
    List<Incident> all = new ArrayList<>();
    for (Rollout rollout : rollouts) {
      Incident open = rollout.openIncident();
      if (open != null) {
        all.add(open);
      }
    }
    all.sort(Comparator.comparingLong(Incident::id).reversed());
    all.addAll(past);
    return all;
  }
}
