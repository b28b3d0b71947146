// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.testkit.ManualTime;
import java.util.ArrayDeque;
import java.util.Deque;

/** What happened in a run, for people: its end, and a sum over all of it. */
final class Tape {
  private static final int KEPT = Integer.getInteger("holdfast.simulation.tape", 40);

  private final ManualTime time;
  private final Deque<String> last = new ArrayDeque<>();
  private long events;
  private long sum;

  Tape(ManualTime time) {
    this.time = time;
  }

  void note(String event) {
    events++;
    sum = sum * 31 + event.hashCode();
    last.add("%,8d %10.3f s  %s".formatted(events, time.nanoTime() / 1e9, event));
    if (last.size() > KEPT) {
      last.remove();
    }
  }

  long events() {
    return events;
  }

  /** Two runs are the same if this is. */
  long sum() {
    return sum;
  }

  @Override
  public String toString() {
    return String.join("\n", last);
  }
}
