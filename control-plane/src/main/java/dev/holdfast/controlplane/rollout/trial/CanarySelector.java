// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.rollout.fleet.TrialFleet;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Chooses who tries things out: of each class the first that runs all it is shown.
 *
 * <p>Where all classes must agree, one whose proxies are not ready is waited for, as long as for an
 * answer: it would find out by itself, later, and alone. Proxies name their own classes, so those
 * that have never run anything share one wait, and a shorter one: nobody gains by coming under one
 * name after the other.
 */
final class CanarySelector {
  /** A proxy that is well needs no longer to run all it is shown; when to look again. */
  static final Duration WAIT = Duration.ofSeconds(5);

  /** All classes that have never run anything; no class is called that. */
  private static final String STRANGERS = "";

  private final TrialFleet stage;
  private final TimeSource time;
  private final RolloutOptions options;

  /** Those that did not answer: asked again if there is nobody else. */
  private final Set<String> silent = new HashSet<>();

  /** Those that refuse what nobody touched: not asked until they come back. */
  private final Set<String> stubborn = new HashSet<>();

  /**
   * Since when nobody of a class could try anything, though somebody of it is there. Who was silent
   * has been waited for already.
   */
  private final Map<String, Long> unready = new HashMap<>();

  private boolean waiting;

  CanarySelector(TrialFleet stage, TimeSource time, RolloutOptions options) {
    this.stage = stage;
    this.time = time;
    this.options = options;
  }

  /**
   * A node for each class that has one; those who were silent only if there is nobody else. Empty
   * if there is nobody, or somebody worth waiting for.
   */
  SortedMap<String, String> choose() {
    SortedMap<String, String> chosen = new TreeMap<>();
    SortedMap<String, String> second = new TreeMap<>();
    Set<String> open = new HashSet<>();
    Set<String> there = new HashSet<>();
    long now = time.nanoTime();
    for (TrialFleet.Candidate candidate : stage.candidates()) {
      there.add(candidate.node());
      if (stubborn.contains(candidate.node())) {
        continue;
      }
      if (!candidate.settled()) {
        open.add(candidate.proxyClass());
        if (silent.contains(candidate.node())) {
          unready.putIfAbsent(candidate.proxyClass(), now - options.patience().toNanos());
        }
      } else {
        (silent.contains(candidate.node()) ? second : chosen)
            .putIfAbsent(candidate.proxyClass(), candidate.node());
      }
    }
    silent.retainAll(there);
    stubborn.retainAll(there);
    open.removeAll(chosen.keySet());
    open.removeAll(second.keySet());
    waiting = isWorthWaiting(open);
    if (waiting) {
      return new TreeMap<>();
    }
    return chosen.isEmpty() ? second : chosen;
  }

  private boolean isWorthWaiting(Set<String> open) {
    if (options.disagreement() != DisagreementPolicy.UNIFORM) {
      return false;
    }
    Set<String> waited = new HashSet<>();
    open.forEach(proxyClass -> waited.add(stage.tookPart(proxyClass) ? proxyClass : STRANGERS));
    unready.keySet().retainAll(waited);
    long now = time.nanoTime();
    boolean wait = false;
    for (String proxyClass : waited) {
      long since = unready.computeIfAbsent(proxyClass, unused -> now);
      Duration most = proxyClass.equals(STRANGERS) ? WAIT : options.patience();
      wait |= now - since < most.toNanos();
    }
    return wait;
  }

  /** Whether the last choice was put off because of a class that is not ready yet. */
  boolean isWaiting() {
    return waiting;
  }

  /**
   * Whether the first word is not spoken yet: proxies of some class have come and neither run all
   * they are shown nor have refused it.
   */
  boolean isSomebodyOpen() {
    Set<String> open = new HashSet<>();
    Set<String> settled = new HashSet<>();
    voters().forEach(voter -> (voter.settled() ? settled : open).add(voter.proxyClass()));
    open.removeAll(settled);
    return isWorthWaiting(open);
  }

  /** Those that may be asked at all. */
  Collection<TrialFleet.Candidate> voters() {
    return stage.candidates().stream()
        .filter(candidate -> !stubborn.contains(candidate.node()))
        .toList();
  }

  /** Whether some came running something that this server knows nothing of. */
  boolean anyAdopted() {
    return stage.candidates().stream().anyMatch(TrialFleet.Candidate::adopted);
  }

  /** A node of one of some classes that has nothing to lose; none if there is none. */
  SortedMap<String, String> chooseCold(Predicate<String> classes) {
    SortedMap<String, String> chosen = new TreeMap<>();
    for (TrialFleet.Candidate candidate : stage.candidates()) {
      if (!candidate.adopted() && chosen.isEmpty() && classes.test(candidate.proxyClass())) {
        chosen.put(candidate.proxyClass(), candidate.node());
      }
    }
    return chosen;
  }

  /** Whether none of some nodes came running something that this server knows nothing of. */
  boolean areCold(Collection<String> nodes) {
    return stage.candidates().stream()
        .noneMatch(candidate -> candidate.adopted() && nodes.contains(candidate.node()));
  }

  /** A node did not answer. */
  void silent(String node) {
    silent.add(node);
  }

  /**
   * What they were silent about is through, or over: who answers by now is asked again. A class of
   * which there is nobody else would have no say otherwise.
   */
  void forgive() {
    silent.clear();
  }

  /** All of a class keep what they run, and have no say in what others get. */
  void leaveOut(String proxyClass) {
    for (TrialFleet.Candidate candidate : stage.candidates()) {
      if (candidate.proxyClass().equals(proxyClass)) {
        stubborn.add(candidate.node());
      }
    }
  }

  /** A node refused what nobody had touched. */
  void stubborn(String node) {
    stubborn.add(node);
  }
}
