// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.rollout.fleet.TrialFleet;
import dev.holdfast.controlplane.snapshot.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the canaries: of each class the first proxy that runs everything it is shown. Those that
 * once did not answer come last, as long as they are connected.
 *
 * <p>The selector waits a moment for a class whose proxies are not ready: what others accept
 * without it would reach all of them at once. Where all classes must agree, it waits as long as for
 * an answer. Proxies name their own class, so classes that have never run a baseline share one
 * wait, or are not waited for: a client gains nothing by connecting under one name after the other.
 */
final class CanarySelector {
  /** A healthy proxy runs everything it is shown within this time; when to look again. */
  static final Duration WAIT = Duration.ofSeconds(5);

  /** Stands for all classes that have never run a baseline; no class has this name. */
  private static final String UNKNOWN_CLASSES = "";

  private final TrialFleet fleet;
  private final TimeSource time;
  private final RolloutOptions options;

  /** Nodes that did not answer: chosen only if there is no other. */
  private final Set<String> silentNodes = new HashSet<>();

  /** Nodes that ever did not answer: chosen after all others. */
  private final Set<String> slowNodes = new HashSet<>();

  /** Nodes that refuse what no change touched: not chosen until they reconnect. */
  private final Set<String> excluded = new HashSet<>();

  /**
   * Since when a class has connected proxies but none that is ready. Nodes that did not answer have
   * been waited for already.
   */
  private final Map<String, Long> unready = new HashMap<>();

  private boolean waiting;

  CanarySelector(TrialFleet fleet, TimeSource time, RolloutOptions options) {
    this.fleet = fleet;
    this.time = time;
    this.options = options;
  }

  /**
   * A node for each class that has one. Empty if there is none, or if a class is worth waiting for.
   *
   * @param lost nodes that were lost under the same changes: chosen only if there is no other
   */
  SortedMap<String, String> choose(Set<String> lost) {
    SortedMap<String, String> chosen = new TreeMap<>();
    SortedMap<String, String> second = new TreeMap<>();
    Set<String> open = new HashSet<>();
    Set<String> there = new HashSet<>();
    long now = time.nanoTime();
    for (TrialFleet.Candidate candidate : candidates()) {
      there.add(candidate.node());
      if (excluded.contains(candidate.node())) {
        continue;
      }
      boolean isSecond = silentNodes.contains(candidate.node()) || lost.contains(candidate.node());
      if (!candidate.settled()) {
        open.add(candidate.proxyClass());
        if (isSecond) {
          unready.putIfAbsent(candidate.proxyClass(), now - options.patience().toNanos());
        }
      } else {
        (isSecond ? second : chosen).putIfAbsent(candidate.proxyClass(), candidate.node());
      }
    }
    silentNodes.retainAll(there);
    slowNodes.retainAll(there);
    excluded.retainAll(there);
    open.removeAll(chosen.keySet());
    open.removeAll(second.keySet());
    waiting = isWorthWaiting(open, mustAgree());
    if (waiting) {
      return new TreeMap<>();
    }
    if (!lost.isEmpty()) {
      second.forEach((proxyClass, node) -> chosen.putIfAbsent(proxyClass, node));
    }
    return chosen.isEmpty() ? second : chosen;
  }

  private Collection<TrialFleet.Candidate> candidates() {
    if (slowNodes.isEmpty()) {
      return fleet.candidates();
    }
    List<TrialFleet.Candidate> slow = new ArrayList<>();
    List<TrialFleet.Candidate> ordered = new ArrayList<>();
    for (TrialFleet.Candidate candidate : fleet.candidates()) {
      (slowNodes.contains(candidate.node()) ? slow : ordered).add(candidate);
    }
    ordered.addAll(slow);
    return ordered;
  }

  /**
   * Another node of a class that runs everything it is shown; null if there is none.
   *
   * @param but nodes that are not meant
   * @param last nodes that are chosen only if there is no other
   */
  @Nullable String another(String proxyClass, Collection<String> but, Set<String> last) {
    String found = null;
    for (TrialFleet.Candidate candidate : candidates()) {
      String node = candidate.node();
      if (candidate.proxyClass().equals(proxyClass)
          && candidate.settled()
          && !but.contains(node)
          && !excluded.contains(node)
          && !silentNodes.contains(node)
          && (found == null || last.contains(found))) {
        found = found == null || !last.contains(node) ? node : found;
      }
    }
    return found;
  }

  /** Whether another node of a class is connected, and does not run everything it is shown yet. */
  boolean isAnotherComing(String proxyClass, Collection<String> but) {
    return fleet.candidates().stream()
        .anyMatch(
            candidate ->
                candidate.proxyClass().equals(proxyClass)
                    && !candidate.settled()
                    && !but.contains(candidate.node())
                    && !excluded.contains(candidate.node())
                    && !silentNodes.contains(candidate.node())
                    && !slowNodes.contains(candidate.node()));
  }

  /** A node disagrees with the others of its class. */
  void diverged(String node, Resource resource, boolean accepts, String message) {
    fleet.diverged(node, resource, accepts, message);
  }

  private boolean mustAgree() {
    return options.disagreement() == DisagreementPolicy.UNIFORM;
  }

  /**
   * @param forUnknown whether also classes are waited for that have never run a baseline
   */
  private boolean isWorthWaiting(Set<String> open, boolean forUnknown) {
    Set<String> waited = new HashSet<>();
    open.forEach(
        proxyClass -> waited.add(fleet.tookPart(proxyClass) ? proxyClass : UNKNOWN_CLASSES));
    if (!forUnknown) {
      waited.remove(UNKNOWN_CLASSES);
    }
    unready.keySet().retainAll(waited);
    long now = time.nanoTime();
    boolean wait = false;
    for (String proxyClass : waited) {
      long since = unready.computeIfAbsent(proxyClass, unused -> now);
      Duration most =
          proxyClass.equals(UNKNOWN_CLASSES) || !mustAgree() ? WAIT : options.patience();
      wait |= now - since < most.toNanos();
    }
    return wait;
  }

  /** Whether the last choice was postponed because of a class that is not ready yet. */
  boolean isWaiting() {
    return waiting;
  }

  /**
   * Whether proxies of some class have connected and neither run everything they are shown nor have
   * refused it.
   */
  boolean isAnyClassOpen() {
    Set<String> open = new HashSet<>();
    Set<String> settled = new HashSet<>();
    voters().forEach(voter -> (voter.settled() ? settled : open).add(voter.proxyClass()));
    open.removeAll(settled);
    return isWorthWaiting(open, /* forUnknown= */ true); // at first, nobody is known
  }

  /** The proxies that may be chosen at all. */
  Collection<TrialFleet.Candidate> voters() {
    return fleet.candidates().stream()
        .filter(candidate -> !excluded.contains(candidate.node()))
        .toList();
  }

  /** Whether a proxy connected with content that this server does not know. */
  boolean anyAdopted() {
    return fleet.candidates().stream().anyMatch(TrialFleet.Candidate::adopted);
  }

  /** A node of some classes that runs no unknown content; none if there is none. */
  SortedMap<String, String> chooseCold(Predicate<String> classes) {
    SortedMap<String, String> chosen = new TreeMap<>();
    for (TrialFleet.Candidate candidate : fleet.candidates()) {
      if (!candidate.adopted() && chosen.isEmpty() && classes.test(candidate.proxyClass())) {
        chosen.put(candidate.proxyClass(), candidate.node());
      }
    }
    return chosen;
  }

  /** Whether none of some nodes connected with content that this server does not know. */
  boolean areCold(Collection<String> nodes) {
    return fleet.candidates().stream()
        .noneMatch(candidate -> candidate.adopted() && nodes.contains(candidate.node()));
  }

  /** A node did not answer in time. */
  void unanswered(String node) {
    silentNodes.add(node);
    slowNodes.add(node);
  }

  /**
   * The trial that nodes did not answer on is over: they may be chosen again. Otherwise a class
   * without other proxies would have no vote.
   */
  void forgive() {
    silentNodes.clear();
  }

  /** The proxies of a class keep what they run, and do not vote. */
  void leaveOut(String proxyClass) {
    for (TrialFleet.Candidate candidate : fleet.candidates()) {
      if (candidate.proxyClass().equals(proxyClass)) {
        excluded.add(candidate.node());
      }
    }
  }

  /** A node refused what no change touched. */
  void exclude(String node) {
    excluded.add(node);
  }
}
