// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import static java.util.stream.Collectors.toSet;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The canaries that were lost lately. The rollouts share them: a class that goes its own way after
 * it has lost a proxy to a change has still lost it. Loop only.
 */
public final class CanaryLosses {
  /** The oldest go first; a trial has few canaries. */
  private static final int MOST = 1_000;

  /** Of one change and class. */
  private static final int MOST_EXCUSES = 5;

  private final List<Loss> losses = new ArrayList<>();
  private final List<Loss> excused = new ArrayList<>();
  private long lastTrial;

  /**
   * A canary that was lost.
   *
   * @param isSilent whether it is still connected, and did not answer
   * @param shown the changes that it was shown
   * @param canaries all that were shown them
   * @param cold whether all proxies were, because there was no baseline
   * @param trial the number of the trial in which they were
   * @param began when they were first shown, on the clock of {@code System.nanoTime}
   * @param at on the same clock
   * @param isDeath whether it has come back with nothing: whatever it does later, it had died
   */
  record Loss(
      String node,
      String proxyClass,
      boolean isSilent,
      SortedMap<ObjectKey, ConfigObject> shown,
      Collection<String> canaries,
      boolean cold,
      long trial,
      long began,
      long at,
      boolean isDeath) {
    private Loss without(Set<ObjectKey> keys) {
      SortedMap<ObjectKey, ConfigObject> left = new TreeMap<>(shown);
      left.keySet().removeAll(keys);
      return new Loss(node, proxyClass, isSilent, left, canaries, cold, trial, began, at, isDeath);
    }

    private Loss asDeath() {
      return new Loss(node, proxyClass, isSilent, shown, canaries, cold, trial, began, at, true);
    }

    private boolean isLike(Loss other) {
      return proxyClass.equals(other.proxyClass)
          && shown.values().stream().anyMatch(other::concerns);
    }

    /**
     * What counts once: a proxy that tried something. All that die at once of what all are shown
     * count as one, because any of it may have been the cause.
     */
    Object occasion() {
      return cold ? began : List.of(trial, node);
    }

    boolean concerns(ConfigObject object) {
      ConfigObject tried = shown.get(object.key());
      return tried != null && tried.generation() == object.generation();
    }
  }

  /** A number for a trial that has lost a canary. */
  long newTrial() {
    return ++lastTrial;
  }

  void add(Loss loss) {
    if (losses.size() == MOST) {
      losses.remove(0);
    }
    losses.add(loss);
  }

  boolean isEmpty() {
    return losses.isEmpty();
  }

  List<Loss> all() {
    return Collections.unmodifiableList(losses);
  }

  /**
   * Whether a proxy was lost in a trial, also if that did not count: one that has been back since
   * then, and leaves again, leaves for another reason.
   */
  boolean hasLost(String node, long trial) {
    return Stream.concat(losses.stream(), excused.stream())
        .anyMatch(loss -> loss.node().equals(node) && loss.trial() == trial);
  }

  /** The nodes that were lost at about some time, also if that did not count. */
  Set<String> around(long at, Duration within) {
    return Stream.concat(losses.stream(), excused.stream())
        .filter(loss -> Math.abs(loss.at() - at) < within.toNanos())
        .map(Loss::node)
        .collect(toSet());
  }

  /**
   * Losses that do not count are put aside, except under changes that had enough of that: whatever
   * the reason, nobody may wait for ever.
   */
  void excuse(Predicate<Loss> which) {
    for (int i = losses.size() - 1; i >= 0; i--) {
      Loss loss = losses.get(i);
      if (which.test(loss) && excused.stream().filter(loss::isLike).count() < MOST_EXCUSES) {
        losses.remove(i);
        if (excused.size() == MOST) {
          excused.remove(0);
        }
        excused.add(loss);
      }
    }
  }

  /** Some canaries have come back with nothing. */
  void confirm(Predicate<Loss> which) {
    losses.replaceAll(loss -> which.test(loss) ? loss.asDeath() : loss);
  }

  /** An object is tried again because somebody asked for it. */
  void forget(ObjectKey key) {
    excused.removeIf(loss -> loss.shown().containsKey(key));
    losses.replaceAll(loss -> loss.without(Set.of(key)));
    losses.removeIf(loss -> loss.shown().isEmpty());
  }

  /** Some objects are to blame for losses: others that were shown together with them are not. */
  void explained(Collection<Loss> some, Set<ObjectKey> blamed) {
    Set<Long> trials = some.stream().map(Loss::trial).collect(toSet());
    losses.replaceAll(
        loss -> {
          Set<ObjectKey> others = new HashSet<>(loss.shown().keySet());
          others.removeAll(blamed);
          return trials.contains(loss.trial()) ? loss.without(others) : loss;
        });
    losses.removeIf(loss -> loss.shown().isEmpty());
  }

  /** Some classes accepted objects. */
  void accepted(Set<ObjectKey> keys, Collection<String> classes) {
    for (int i = losses.size() - 1; i >= 0; i--) {
      Loss loss = losses.get(i);
      if (classes.contains(loss.proxyClass())) {
        losses.set(i, loss.without(keys));
      }
    }
    losses.removeIf(loss -> loss.shown().isEmpty());
  }
}
