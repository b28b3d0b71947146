// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.fleet;

import dev.holdfast.base.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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

  /** A client that ends sooner than this had nothing more to do. */
  private static final Duration PASSING = Duration.ofSeconds(10);

  /**
   * @param since when a client that is no Envoy connected; null for an Envoy
   */
  private record Departure(String node, long at, @Nullable Long since) {}

  private final TimeSource time;
  private final Deque<Departure> departures = new ArrayDeque<>();

  /** Since when clients are connected that are no Envoys. */
  private final Map<String, Long> clients = new HashMap<>();

  public Departures(TimeSource time) {
    this.time = time;
  }

  /** A client that is no Envoy connected. */
  public void clientConnected(String node) {
    clients.putIfAbsent(node, time.nanoTime());
  }

  public void left(String node) {
    if (departures.size() == MOST_REMEMBERED) {
      departures.removeFirst();
    }
    departures.addLast(new Departure(node, time.nanoTime(), clients.remove(node)));
  }

  /**
   * Whether a client that left had only just connected when it was shown something. Unlike a proxy,
   * an application may make a call and end.
   *
   * @param shown on the clock of {@code System.nanoTime}
   */
  public boolean wasPassing(String node, long shown) {
    Iterator<Departure> latest = departures.descendingIterator();
    while (latest.hasNext()) {
      Departure departure = latest.next();
      if (departure.node().equals(node)) {
        return departure.since() != null && shown - departure.since() < PASSING.toNanos();
      }
    }
    return false;
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
