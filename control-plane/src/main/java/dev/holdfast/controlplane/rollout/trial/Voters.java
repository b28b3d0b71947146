// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.fleet.TrialFleet;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.selection.Trial;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds the proxies that confirm what a canary said. */
final class Voters {
  private final RolloutOptions options;
  private final TrialFleet fleet;
  private final Baseline baseline;
  private final CanarySelector canaries;
  private final FirstContact first;
  private final LostCanaries lost;

  Voters(
      RolloutOptions options,
      TrialFleet fleet,
      Baseline baseline,
      CanarySelector canaries,
      FirstContact first,
      LostCanaries lost) {
    this.options = options;
    this.fleet = fleet;
    this.baseline = baseline;
    this.canaries = canaries;
    this.first = first;
    this.lost = lost;
  }

  /** Another proxy of each class that tries something, where there is one. */
  SortedMap<String, String> seconds(Trial trial) {
    SortedMap<String, String> seconds = new TreeMap<>();
    Set<String> last = lost.nodes(trial.bundles());
    trial
        .canaries()
        .forEach(
            (proxyClass, canary) -> {
              String other = another(proxyClass, List.of(canary), last);
              if (other != null) {
                seconds.put(proxyClass, other);
              }
            });
    return seconds;
  }

  /** Another proxy of a class that can be asked: it runs the whole baseline. Null if none is. */
  @Nullable String another(String proxyClass, List<String> but, Set<String> last) {
    return options.canaries() && baseline.isEstablished() && !first.isGoingOn()
        ? canaries.another(proxyClass, but, last)
        : null;
  }

  /** See {@link RolloutMachine#canBeJudgedAnew}. */
  boolean canBeJudgedAnew(Evidence evidence) {
    List<String> judges = evidence.judges();
    if (judges.isEmpty()) {
      return false;
    }
    if (another(evidence.proxyClass(), judges, Set.of()) != null) {
      return true;
    }
    List<String> refuser = judges.subList(0, 1);
    return judges.size() > 1
        && !fleet.isConnected(refuser.get(0))
        && another(evidence.proxyClass(), refuser, Set.of()) != null;
  }
}
