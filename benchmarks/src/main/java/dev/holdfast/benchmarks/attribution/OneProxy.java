// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.attribution;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.TrialFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A proxy that answers at once: it refuses route configurations that some objects have a part in,
 * without saying which.
 */
final class OneProxy implements TrialFleet {
  private static final String NODE = "proxy";
  private static final String CLASS = "envoy";
  private static final String ROUTES = "ingress_http";

  private final Set<ObjectKey> bad;
  private final Set<String> refused = new HashSet<>();
  private @Nullable Resource shown;
  private @Nullable Resource running;
  private int pushes;

  OneProxy(Set<ObjectKey> bad) {
    this.bad = bad;
  }

  @Override
  public Collection<Candidate> candidates() {
    boolean settled = verdict(NODE) instanceof Verdict.Accepted;
    return List.of(new Candidate(NODE, CLASS, settled, /* adopted= */ false));
  }

  @Override
  public void show(Snapshot baseline, Set<String> canaries, Snapshot trial) {
    Snapshot snapshot = canaries.contains(NODE) ? trial : baseline;
    Resource routes = snapshot.get(ResourceType.ROUTES, ROUTES);
    shown = routes;
    if (routes == null || routes.equals(running) || refused.contains(routes.version())) {
      return; // nothing new, or known to be refused: nothing is sent
    }
    pushes++;
    if (bad.stream().anyMatch(key -> routes.contributions().containsKey(key))) {
      refused.add(routes.version());
    } else {
      running = routes;
    }
  }

  @Override
  public Verdict verdict(String node, Predicate<Resource> known) {
    Resource routes = shown;
    return routes != null && refused.contains(routes.version()) && !known.test(routes)
        ? new Verdict.Refused(CLASS, CLASS, routes, "no")
        : Verdict.ACCEPTED;
  }

  /** How often it was sent something. */
  int pushes() {
    return pushes;
  }
}
