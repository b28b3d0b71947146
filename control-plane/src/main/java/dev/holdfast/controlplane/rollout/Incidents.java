// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The rejections that are over, whichever rollout they were of. */
final class Incidents {
  private static final int MOST = 200;

  private final Deque<Incident> past = new ArrayDeque<>();
  private long last;
  private long pushes;

  long nextId() {
    return ++last;
  }

  void pushed() {
    pushes++;
  }

  /** How many trials all of them have cost together. */
  long pushes() {
    return pushes;
  }

  void add(Incident incident) {
    past.addFirst(incident);
    if (past.size() > MOST) {
      past.removeLast();
    }
  }

  /** All that are remembered, the last to end first. */
  List<Incident> past() {
    return new ArrayList<>(past);
  }
}
