// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import dev.holdfast.controlplane.translate.Translated;
import java.util.stream.Stream;

/** What classes of proxies run. */
final class Running {
  private final Stages stages;
  private final Divergence divergence;

  Running(Stages stages, Divergence divergence) {
    this.stages = stages;
    this.divergence = divergence;
  }

  private Stream<String> nodes(String proxyClass) {
    return stages.members().stream()
        .filter(member -> member.proxyClass().equals(proxyClass))
        .map(Stages.Member::node);
  }

  /** Whether one of a class that has a say runs all that its rollout shows it. */
  boolean isEverything(String proxyClass, Rollout rollout) {
    return nodes(proxyClass)
        .anyMatch(
            node ->
                !divergence.contains(node)
                    && stages.verdict(node, rollout::excuses) instanceof Verdict.Accepted);
  }

  /** Whether one of a class runs all parts of an object that it has a use for. */
  boolean has(String proxyClass, Translated object) {
    return nodes(proxyClass).anyMatch(node -> stages.runs(node, object));
  }

  /**
   * Whether a class runs something: to begin with nothing would take it away. It may well refuse
   * what it once accepted, or seemed to: Envoy takes a secret without a word that it refused
   * before.
   */
  boolean hasSomethingToLose(String proxyClass) {
    return nodes(proxyClass).anyMatch(stages::hasSomethingToLose);
  }
}
