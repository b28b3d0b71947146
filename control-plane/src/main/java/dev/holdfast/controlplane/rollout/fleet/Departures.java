// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.fleet;

import dev.holdfast.base.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * The proxies that left lately. One that leaves alone may have been killed by what it was shown;
 * when many leave at once, the network was cut, or somebody restarts the fleet. Loop only.
 */
public final class Departures {
  /** Before and after a departure. */
  private static final Duration AT_ONCE = Duration.ofSeconds(1);

  /** Proxies leave a large fleet all the time: this part of it has to. */
  private static final int MANY = 10;

  private static final int MOST_REMEMBERED = 1_000;

  private record Departure(String node, long at) {}

  private final TimeSource time;
  private final Deque<Departure> departures = new ArrayDeque<>();

  public Departures(TimeSource time) {
    this.time = time;
  }

  public void left(String node) {
    if (departures.size() == MOST_REMEMBERED) {
      departures.removeFirst();
    }
    departures.addLast(new Departure(node, time.nanoTime()));
  }

  /**
   * Whether proxies left together at some time, without counting some of them.
   *
   * @param staying how many are connected
   */
  public boolean wereMany(long at, Collection<String> butNot, int staying) {
    Set<String> others = new HashSet<>();
    for (Departure departure : departures) {
      if (Math.abs(departure.at() - at) <= AT_ONCE.toNanos()
          && !butNot.contains(departure.node())) {
        others.add(departure.node());
      }
    }
    return !others.isEmpty() && others.size() * MANY >= staying + others.size();
  }
}
