// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Chooses who tries things out: of each class the first that runs all it is shown. */
final class Canaries {
  private final Stage stage;

  /** Those that did not answer: asked again if there is nobody else. */
  private final Set<String> silent = new HashSet<>();

  /** Those that refuse what others of their class run: not asked until they come back. */
  private final Set<String> diverged = new HashSet<>();

  Canaries(Stage stage) {
    this.stage = stage;
  }

  /** A node for each class that has one; those who were silent only if there is nobody else. */
  SortedMap<String, String> choose() {
    SortedMap<String, String> chosen = new TreeMap<>();
    SortedMap<String, String> second = new TreeMap<>();
    Set<String> there = new HashSet<>();
    for (Stage.Candidate candidate : stage.candidates()) {
      there.add(candidate.node());
      if (candidate.settled() && !diverged.contains(candidate.node())) {
        (silent.contains(candidate.node()) ? second : chosen)
            .putIfAbsent(candidate.proxyClass(), candidate.node());
      }
    }
    silent.retainAll(there);
    diverged.retainAll(there);
    return chosen.isEmpty() ? second : chosen;
  }

  /** Whether some came running something that this server knows nothing of. */
  boolean anyAdopted() {
    return stage.candidates().stream().anyMatch(Stage.Candidate::adopted);
  }

  /** A node of one class that has nothing to lose; none if there is none. */
  SortedMap<String, String> chooseCold() {
    SortedMap<String, String> chosen = new TreeMap<>();
    for (Stage.Candidate candidate : stage.candidates()) {
      if (!candidate.adopted() && chosen.isEmpty()) {
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

  /** A node refused what nobody had touched. */
  void diverged(String node) {
    diverged.add(node);
  }
}
