// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import static java.util.stream.Collectors.toSet;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

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

  /**
   * A canary that was lost.
   *
   * @param isSilent whether it is still connected, and did not answer
   * @param shown the changes that it was shown
   * @param canaries all that were shown them
   * @param began when they were first shown, on the clock of {@code System.nanoTime}
   * @param at on the same clock
   */
  record Loss(
      String node,
      String proxyClass,
      boolean isSilent,
      SortedMap<ObjectKey, ConfigObject> shown,
      Collection<String> canaries,
      long began,
      long at) {
    private Loss without(Set<ObjectKey> keys) {
      SortedMap<ObjectKey, ConfigObject> left = new TreeMap<>(shown);
      left.keySet().removeAll(keys);
      return new Loss(node, proxyClass, isSilent, left, canaries, began, at);
    }

    private boolean isLike(Loss other) {
      return proxyClass.equals(other.proxyClass)
          && shown.values().stream().anyMatch(other::concerns);
    }

    boolean concerns(ConfigObject object) {
      ConfigObject tried = shown.get(object.key());
      return tried != null && tried.generation() == object.generation();
    }
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

  /** An object is tried again because somebody asked for it. */
  void forget(ObjectKey key) {
    excused.removeIf(loss -> loss.shown().containsKey(key));
    losses.replaceAll(loss -> loss.without(Set.of(key)));
    losses.removeIf(loss -> loss.shown().isEmpty());
  }

  /** Some objects are to blame for losses: others that were shown together with them are not. */
  void explained(Collection<Loss> some, Collection<ConfigObject> offenders) {
    Set<Long> trials = some.stream().map(Loss::began).collect(toSet());
    Set<ObjectKey> blamed = offenders.stream().map(ConfigObject::key).collect(toSet());
    losses.replaceAll(
        loss -> {
          Set<ObjectKey> others = new HashSet<>(loss.shown().keySet());
          others.removeAll(blamed);
          return trials.contains(loss.began()) ? loss.without(others) : loss;
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
