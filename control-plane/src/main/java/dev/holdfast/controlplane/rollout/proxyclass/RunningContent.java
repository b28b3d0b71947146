// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.translate.TranslatedObject;
import java.util.stream.Stream;

/** What classes of proxies run. */
public final class RunningContent {
  private final ProxyFleet stages;
  private final DivergedProxies divergence;

  public RunningContent(ProxyFleet stages, DivergedProxies divergence) {
    this.stages = stages;
    this.divergence = divergence;
  }

  private Stream<String> nodes(String proxyClass) {
    return stages.members().stream()
        .filter(member -> member.proxyClass().equals(proxyClass))
        .map(ProxyFleet.Member::node);
  }

  /** Whether one of a class that has a say runs all that its rollout shows it. */
  public boolean isEverything(String proxyClass, Rollout rollout) {
    return nodes(proxyClass)
        .anyMatch(
            node ->
                !divergence.contains(node)
                    && stages.verdict(node, rollout::excuses) instanceof Verdict.Accepted);
  }

  /** Whether one of a class runs all parts of an object that it has a use for. */
  public boolean has(String proxyClass, TranslatedObject object) {
    return nodes(proxyClass).anyMatch(node -> stages.runs(node, object));
  }

  /**
   * Whether a class runs something: to begin with nothing would take it away. It may well refuse
   * what it once accepted, or seemed to: Envoy takes a secret without a word that it refused
   * before.
   */
  public boolean hasSomethingToLose(String proxyClass) {
    return nodes(proxyClass).anyMatch(stages::hasSomethingToLose);
  }
}
