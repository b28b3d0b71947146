// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which classes of proxies there are, and which there were. */
public final class ClassRegistry {
  /** One who is back after this long was never gone: proxies take their time to reconnect. */
  private static final Duration SHORT = Duration.ofSeconds(30);

  /** One who was gone for this long does not come back. */
  private static final Duration LONG = Duration.ofDays(1);

  /** Proxies name their own classes: no more are remembered than anybody could mean. */
  private static final int MOST = 64;

  private final TimeSource time;
  private final FleetRolloutObserver observer;
  private final SortedSet<String> present = new TreeSet<>();
  private final SortedMap<String, Instant> came = new TreeMap<>();

  /** When each class that has run what it was served was last there, or was seen to do so. */
  private final SortedMap<String, Instant> seen = new TreeMap<>();

  public ClassRegistry(TimeSource time, FleetRolloutObserver observer) {
    this.time = time;
    this.observer = observer;
  }

  /** Takes up the classes that an earlier life knew: they may be on their way back. */
  public void restore(SortedSet<String> classes) {
    classes.forEach(proxyClass -> seen.put(proxyClass, time.now()));
  }

  /** These are there now. */
  public void take(SortedSet<String> classes) {
    for (String proxyClass : classes) {
      if (present.add(proxyClass)) {
        came.putIfAbsent(proxyClass, time.now());
      }
    }
    SortedSet<String> left = new TreeSet<>(present);
    left.removeAll(classes);
    left.retainAll(seen.keySet());
    left.forEach(this::note);
    present.retainAll(classes);
    came.keySet().removeIf(name -> !present.contains(name) && !seen.containsKey(name));
  }

  /** A class runs all that it is served, and so has something that it would go back to. */
  public void proven(String proxyClass) {
    if (!seen.containsKey(proxyClass)) {
      note(proxyClass);
    }
  }

  /** Those that are there and have not run anything yet. */
  public SortedSet<String> unproven() {
    SortedSet<String> unproven = new TreeSet<>(present);
    unproven.removeAll(seen.keySet());
    return unproven;
  }

  private void note(String proxyClass) {
    seen.put(proxyClass, time.now());
    observer.seen(proxyClass, time.now());
  }

  /** Drops those that nobody expects any more; the result is which. */
  public SortedSet<String> forget() {
    SortedSet<String> gone = new TreeSet<>();
    Instant oldest = time.now().minus(LONG);
    seen.forEach(
        (proxyClass, at) -> {
          if (!present.contains(proxyClass) && at.isBefore(oldest)) {
            gone.add(proxyClass);
          }
        });
    seen.entrySet().stream()
        .filter(entry -> !present.contains(entry.getKey()) && !gone.contains(entry.getKey()))
        .sorted(SortedMap.Entry.comparingByValue(Comparator.naturalOrder()))
        .limit(Math.max(0, seen.size() - gone.size() - MOST))
        .forEach(entry -> gone.add(entry.getKey()));
    for (String proxyClass : gone) {
      seen.remove(proxyClass);
      came.remove(proxyClass);
      observer.forgotten(proxyClass);
    }
    return gone;
  }

  /** Whether a class has run what it was served, and is there or may come back. */
  boolean isKnown(String proxyClass) {
    return seen.containsKey(proxyClass);
  }

  /** Those that are there. */
  public SortedSet<String> present() {
    return new TreeSet<>(present);
  }

  /** Those that have run what they were served, and are there or may come back. */
  public SortedSet<String> known() {
    return new TreeSet<>(seen.keySet());
  }

  /**
   * Whether evidence still counts. It does as long as its class is there or may be on its way back,
   * and beyond that until somebody comes who was not there when it was given.
   */
  boolean counts(Evidence certificate) {
    if (present.isEmpty() || present.contains(certificate.proxyClass())) {
      return true;
    }
    Instant last = seen.get(certificate.proxyClass());
    if (last != null && last.plus(SHORT).isAfter(time.now())) {
      return true;
    }
    return present.stream()
        .map(proxyClass -> came.getOrDefault(proxyClass, Instant.EPOCH))
        .noneMatch(at -> at.isAfter(certificate.at()));
  }
}
