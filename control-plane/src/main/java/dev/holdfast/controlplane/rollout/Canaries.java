// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import dev.holdfast.base.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Chooses who tries things out: of each class the first that runs all it is shown. */
final class Canaries {
  private final Stage stage;
  private final TimeSource time;
  private final Duration patience;

  /** Those that did not answer: asked again if there is nobody else. */
  private final Set<String> silent = new HashSet<>();

  /** Those that refuse what others of their class run: not asked until they come back. */
  private final Set<String> diverged = new HashSet<>();

  /** Since when those who have yet to answer on something else have been seen to. */
  private final Map<String, Long> busy = new HashMap<>();

  /**
   * @param patience for how long a class whose proxies are all busy is waited for
   */
  Canaries(Stage stage, TimeSource time, Duration patience) {
    this.stage = stage;
    this.time = time;
    this.patience = patience;
  }

  /**
   * A node for each class; those who were silent only if there is nobody else. None if there is a
   * class of which nobody has the time: it is not passed over because it is slow.
   */
  SortedMap<String, String> choose() {
    SortedMap<String, String> chosen = new TreeMap<>();
    SortedMap<String, String> second = new TreeMap<>();
    Set<String> there = new HashSet<>();
    Set<String> awaited = awaited();
    for (Stage.Candidate candidate : stage.candidates()) {
      there.add(candidate.node());
      if (candidate.settled() && !diverged.contains(candidate.node())) {
        (silent.contains(candidate.node()) ? second : chosen)
            .putIfAbsent(candidate.proxyClass(), candidate.node());
      }
    }
    silent.retainAll(there);
    diverged.retainAll(there);
    awaited.removeAll(chosen.keySet());
    if (!awaited.isEmpty()) {
      return new TreeMap<>();
    }
    return chosen.isEmpty() ? second : chosen;
  }

  /** Whether some have yet to answer, and may still do so. */
  boolean anyBusy() {
    return !awaited().isEmpty();
  }

  /** The classes of those who have yet to answer, and may still do so. */
  private Set<String> awaited() {
    Set<String> awaited = new HashSet<>();
    Set<String> open = new HashSet<>();
    long now = time.nanoTime();
    for (Stage.Candidate candidate : stage.candidates()) {
      String node = candidate.node();
      if (stage.verdict(node) instanceof Verdict.Open) {
        open.add(node);
        long since = busy.computeIfAbsent(node, unused -> now);
        if (now - since < patience.toNanos()
            && !silent.contains(node)
            && !diverged.contains(node)) {
          awaited.add(candidate.proxyClass());
        }
      }
    }
    busy.keySet().retainAll(open);
    return awaited;
  }

  /** A node did not answer. */
  void silent(String node) {
    silent.add(node);
  }

  /** A node refused what nobody had touched. */
  void diverged(String node) {
    diverged.add(node);
  }
}
