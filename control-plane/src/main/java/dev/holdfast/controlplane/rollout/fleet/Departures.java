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
import java.util.function.Predicate;
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

  private static final class Departure {
    final String node;
    final long at;

    /** When a client that is no Envoy connected; null for an Envoy. */
    final @Nullable Long since;

    /** Whether the process is known to have ended, and not just its connection. */
    boolean isEnd;

    Departure(String node, long at, @Nullable Long since) {
      this.node = node;
      this.at = at;
      this.since = since;
    }
  }

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

  /** A proxy that has connected holds nothing: the process that left last has ended. */
  public void startedAnew(String node) {
    Departure last = last(node);
    if (last != null) {
      last.isEnd = true;
    }
  }

  private @Nullable Departure last(String node) {
    Iterator<Departure> latest = departures.descendingIterator();
    while (latest.hasNext()) {
      Departure departure = latest.next();
      if (departure.node.equals(node)) {
        return departure;
      }
    }
    return null;
  }

  /**
   * Whether a client that left had only just connected when it was shown something. Unlike a proxy,
   * an application may make a call and end.
   *
   * @param shown on the clock of {@code System.nanoTime}
   */
  public boolean wasPassing(String node, long shown) {
    Departure last = last(node);
    return last != null && last.since != null && shown - last.since < PASSING.toNanos();
  }

  /**
   * Whether proxies left together at some time, without counting some of them. Who is back with
   * what it ran had lost its connection, which nobody dies of: that says nothing about one that is
   * not back so.
   *
   * @param staying how many are connected
   * @param isRunning whether a proxy is connected, and ran something already when it connected
   */
  public boolean wereMany(
      long at, Collection<String> butNot, int staying, Predicate<String> isRunning) {
    Set<String> others = new HashSet<>();
    for (Departure departure : departures) {
      if (Math.abs(departure.at - at) <= AT_ONCE.toNanos()
          && !butNot.contains(departure.node)
          && (departure.isEnd || !isRunning.test(departure.node))) {
        others.add(departure.node);
      }
    }
    return !others.isEmpty() && others.size() * MANY >= staying + others.size();
  }
}
