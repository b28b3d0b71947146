// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Chooses who tries things out: of each class the first that runs all it is shown. */
final class Canaries {
  private final Stage stage;

  /** Those that did not answer, or refuse what others of their class accept. */
  private final Set<String> unfit = new HashSet<>();

  Canaries(Stage stage) {
    this.stage = stage;
  }

  /** A node for each class that has one; those who are unfit only if there is nobody else. */
  SortedMap<String, String> choose() {
    SortedMap<String, String> chosen = new TreeMap<>();
    SortedMap<String, String> second = new TreeMap<>();
    Set<String> there = new HashSet<>();
    for (Stage.Candidate candidate : stage.candidates()) {
      there.add(candidate.node());
      if (candidate.settled()) {
        (unfit.contains(candidate.node()) ? second : chosen)
            .putIfAbsent(candidate.proxyClass(), candidate.node());
      }
    }
    unfit.retainAll(there);
    return chosen.isEmpty() ? second : chosen;
  }

  void avoid(String node) {
    unfit.add(node);
  }
}
