// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.translate.TranslatedObject;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What the connected proxies of a class run. */
public final class RunningContent {
  private final ProxyFleet fleet;
  private final DivergedProxies diverged;
  private final Predicate<String> isOdd;

  /**
   * @param isOdd whether a proxy has a selection of its own
   */
  public RunningContent(ProxyFleet fleet, DivergedProxies diverged, Predicate<String> isOdd) {
    this.fleet = fleet;
    this.diverged = diverged;
    this.isOdd = isOdd;
  }

  private Stream<String> nodes(String proxyClass) {
    return fleet.members().stream()
        .filter(member -> member.proxyClass().equals(proxyClass))
        .map(ProxyFleet.Member::node);
  }

  /** Whether a voting proxy of a class runs everything that its rollout shows it. */
  public boolean isWholeBaseline(String proxyClass, Rollout rollout) {
    return nodes(proxyClass)
        .anyMatch(
            node ->
                !diverged.contains(node)
                    && fleet.verdict(node, rollout::excuses) instanceof Verdict.Accepted);
  }

  /** Whether more proxies of a class run everything that they are shown than do not. */
  public boolean isOnMost(String proxyClass, Rollout rollout) {
    int running = 0;
    int all = 0;
    for (String node : nodes(proxyClass).toList()) {
      all++;
      boolean runs =
          !isOdd.test(node) && fleet.verdict(node, rollout::excuses) instanceof Verdict.Accepted;
      running += runs ? 1 : 0;
    }
    return running * 2 > all;
  }

  /** Whether a proxy of a class runs every part of an object that it subscribed to. */
  public boolean runs(String proxyClass, TranslatedObject object) {
    return nodes(proxyClass).anyMatch(node -> fleet.runs(node, object));
  }

  /**
   * Whether a proxy of a class runs content that a rollout which starts empty would take away. A
   * class may refuse what it once accepted, or seemed to: Envoy acknowledges a secret that it
   * refused before.
   */
  public boolean hasSomethingToLose(String proxyClass) {
    return nodes(proxyClass).anyMatch(fleet::hasSomethingToLose);
  }
}
