// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.rollout.fleet.ClassForm;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The classes of proxies that are connected, and those that were and may come back. */
public final class ClassRegistry {
  /** A class that is back within this time was never gone: proxies take time to reconnect. */
  private static final Duration RECONNECT_TIME = Duration.ofSeconds(30);

  /** A class that was gone for this long is forgotten. */
  private static final Duration RETENTION = Duration.ofDays(1);

  /** Proxies name their own class: the number of remembered ones is limited. */
  private static final int MOST = 64;

  /** How long a class that nobody knew runs its baseline before it has a say. */
  public static final Duration A_WHILE = Duration.ofSeconds(10);

  private final TimeSource time;
  private final FleetRolloutObserver observer;
  private final SortedSet<String> present = new TreeSet<>();
  private final SortedMap<String, Instant> firstSeen = new TreeMap<>();

  /** When each class that has run its baseline was last connected, or first ran it. */
  private final SortedMap<String, Instant> lastSeen = new TreeMap<>();

  /**
   * Since when each class has a say, or will have: it ran its baseline for a while, or was there
   * when the first baseline was found.
   */
  private final SortedMap<String, Instant> sayFrom = new TreeMap<>();

  public ClassRegistry(TimeSource time, FleetRolloutObserver observer) {
    this.time = time;
    this.observer = observer;
  }

  /** Restores the classes that an earlier process knew: they may be about to reconnect. */
  public void restore(SortedSet<String> classes) {
    classes.forEach(proxyClass -> lastSeen.put(proxyClass, time.now()));
    classes.forEach(proxyClass -> sayFrom.put(proxyClass, Instant.EPOCH));
  }

  /** A class is there when the first baseline is found, and so belongs to the fleet. */
  public void founds(String proxyClass) {
    sayFrom.put(proxyClass, Instant.EPOCH);
  }

  /**
   * Whether a class has a say in what others are served, and counts in the status of objects. If
   * none of those that are connected has, all have.
   */
  public boolean hasSay(String proxyClass) {
    return isFamiliar(proxyClass) || present.stream().noneMatch(this::isFamiliar);
  }

  private boolean isFamiliar(String proxyClass) {
    return isFamiliarItself(proxyClass) || isFamiliarItself(ClassForm.other(proxyClass));
  }

  private boolean isFamiliarItself(String proxyClass) {
    Instant from = sayFrom.get(proxyClass);
    return from != null && !time.now().isBefore(from);
  }

  /** These classes are connected now. */
  public void update(SortedSet<String> classes) {
    for (String proxyClass : classes) {
      if (present.add(proxyClass)) {
        firstSeen.putIfAbsent(proxyClass, time.now());
      }
    }
    SortedSet<String> left = new TreeSet<>(present);
    left.removeAll(classes);
    left.retainAll(lastSeen.keySet());
    left.forEach(this::remember);
    present.retainAll(classes);
    firstSeen.keySet().removeIf(name -> !present.contains(name) && !lastSeen.containsKey(name));
  }

  /** A class runs its whole baseline, and so has something to go back to. */
  public void runsBaseline(String proxyClass) {
    if (!lastSeen.containsKey(proxyClass)) {
      remember(proxyClass);
    }
    sayFrom.putIfAbsent(proxyClass, time.now().plus(A_WHILE));
  }

  /** The connected classes that have not run a whole baseline yet. */
  public SortedSet<String> withoutBaseline() {
    SortedSet<String> classes = new TreeSet<>(present);
    classes.removeAll(lastSeen.keySet());
    return classes;
  }

  private void remember(String proxyClass) {
    lastSeen.put(proxyClass, time.now());
    observer.seen(proxyClass, time.now());
  }

  /** Forgets classes that are not expected back, and returns them. */
  public SortedSet<String> forget() {
    SortedSet<String> gone = new TreeSet<>();
    Instant oldest = time.now().minus(RETENTION);
    lastSeen.forEach(
        (proxyClass, at) -> {
          if (!present.contains(proxyClass) && at.isBefore(oldest)) {
            gone.add(proxyClass);
          }
        });
    lastSeen.entrySet().stream()
        .filter(entry -> !present.contains(entry.getKey()) && !gone.contains(entry.getKey()))
        .sorted(SortedMap.Entry.comparingByValue(Comparator.naturalOrder()))
        .limit(Math.max(0, lastSeen.size() - gone.size() - MOST))
        .forEach(entry -> gone.add(entry.getKey()));
    for (String proxyClass : gone) {
      lastSeen.remove(proxyClass);
      firstSeen.remove(proxyClass);
      sayFrom.remove(proxyClass);
      observer.forgotten(proxyClass);
    }
    return gone;
  }

  /** Whether a class has run its baseline, and is connected or may come back. */
  boolean isKnown(String proxyClass) {
    return lastSeen.containsKey(proxyClass);
  }

  /** The connected classes. */
  public SortedSet<String> present() {
    return new TreeSet<>(present);
  }

  /** The classes that were connected a moment ago, or when an earlier process was there. */
  public SortedSet<String> reconnecting() {
    SortedSet<String> classes = new TreeSet<>();
    lastSeen.forEach(
        (proxyClass, last) -> {
          if (!present.contains(proxyClass) && isRecent(last)) {
            classes.add(proxyClass);
          }
        });
    return classes;
  }

  private boolean isRecent(Instant at) {
    return at.plus(RECONNECT_TIME).isAfter(time.now());
  }

  /** The classes that have run their baseline, and are connected or may come back. */
  public SortedSet<String> known() {
    return new TreeSet<>(lastSeen.keySet());
  }

  /**
   * Whether evidence still counts. It does while its class is connected, in either form, or may be
   * reconnecting, and after that until a class connects that was not there when the evidence was
   * given.
   */
  boolean counts(Evidence evidence) {
    if (present.isEmpty()
        || present.contains(evidence.proxyClass())
        || present.contains(ClassForm.other(evidence.proxyClass()))) {
      return true;
    }
    Instant last = lastSeen.get(evidence.proxyClass());
    if (last != null && isRecent(last)) {
      return true;
    }
    return present.stream()
        .map(proxyClass -> firstSeen.getOrDefault(proxyClass, Instant.EPOCH))
        .noneMatch(at -> at.isAfter(evidence.at()));
  }
}
