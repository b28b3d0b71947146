// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.search;

import dev.holdfast.controlplane.report.Totals;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/** The ended incidents of all rollouts, and what their searches cost. */
public final class IncidentArchive {
  private static final int MOST = 200;

  private final Deque<Incident> past = new ArrayDeque<>();
  private long last;
  private long pushes;
  private long ended;
  private Duration took = Duration.ZERO;

  /** Restores what an earlier process stored, newest first. */
  public void restore(List<Incident> earlier) {
    earlier.stream().limit(MOST).forEach(past::addLast);
    last = earlier.stream().mapToLong(Incident::id).max().orElse(0);
  }

  long nextId() {
    return ++last;
  }

  void pushed() {
    pushes++;
  }

  /** What all searches have cost together. */
  public Totals.Searches searches() {
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

  /**
   * All incidents, newest first.
   *
   * @param open those that are still under way
   */
  public List<Incident> all(Collection<Incident> open) {
    List<Incident> all = new ArrayList<>(open);
    all.sort(Comparator.comparingLong(Incident::id).reversed());
    all.addAll(past);
    return all;
  }
}
