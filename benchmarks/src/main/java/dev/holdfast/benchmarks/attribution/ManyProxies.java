// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.attribution;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.TrialFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Proxies of one class that agree. All that were sent something answer at the end of the same round
 * trip; they refuse route configurations that some objects have a part in, without saying which.
 */
final class ManyProxies implements TrialFleet {
  private static final String CLASS = "envoy";
  private static final String ROUTES = "ingress_http";

  private final Set<ObjectKey> bad;
  private final List<Node> nodes = new ArrayList<>();
  private final int voters;
  private int pushes;

  /**
   * @param voters how many of them may be asked; if it is one, nobody confirms what that one says
   */
  ManyProxies(int size, int voters, Set<ObjectKey> bad) {
    this.bad = bad;
    this.voters = Math.min(size, voters);
    for (int i = 0; i < size; i++) {
      nodes.add(new Node("proxy-" + i));
    }
  }

  private static final class Node {
    final String name;
    final Set<String> refused = new HashSet<>();
    @Nullable Resource shown;
    @Nullable Resource sent;
    @Nullable Resource running;

    Node(String name) {
      this.name = name;
    }

    Verdict verdict(Predicate<Resource> known) {
      Resource routes = shown;
      if (routes == null || routes.equals(running)) {
        return Verdict.ACCEPTED;
      }
      if (!refused.contains(routes.version())) {
        return Verdict.OPEN;
      }
      return known.test(routes)
          ? Verdict.ACCEPTED
          : new Verdict.Refused(CLASS, CLASS, routes, "no");
    }
  }

  @Override
  public Collection<Candidate> candidates() {
    return nodes.subList(0, voters).stream()
        .map(
            node ->
                new Candidate(
                    node.name,
                    CLASS,
                    node.verdict(any -> false) instanceof Verdict.Accepted,
                    /* adopted= */ false))
        .toList();
  }

  @Override
  public void show(Snapshot baseline, Set<String> canaries, Snapshot trial) {
    for (Node node : nodes) {
      Snapshot snapshot = canaries.contains(node.name) ? trial : baseline;
      node.shown = snapshot.get(ResourceType.ROUTES, ROUTES);
      send(node);
    }
  }

  /** One response is in flight, and nothing is sent that was refused. */
  private void send(Node node) {
    Resource routes = node.shown;
    if (node.sent == null
        && routes != null
        && !routes.equals(node.running)
        && !node.refused.contains(routes.version())) {
      node.sent = routes;
      pushes++;
    }
  }

  /** The end of a round trip: everybody answers, and is sent what it is shown by now. */
  void answer() {
    for (Node node : nodes) {
      Resource sent = node.sent;
      if (sent != null) {
        node.sent = null;
        if (bad.stream().anyMatch(key -> sent.contributions().containsKey(key))) {
          node.refused.add(sent.version());
        } else {
          node.running = sent;
        }
        send(node);
      }
    }
  }

  boolean isAnySent() {
    return nodes.stream().anyMatch(node -> node.sent != null);
  }

  @Override
  public Verdict verdict(String node, Predicate<Resource> known) {
    for (Node each : nodes) {
      if (each.name.equals(node)) {
        return each.verdict(known);
      }
    }
    return Verdict.GONE;
  }

  /** How often one of them was sent something. */
  int pushes() {
    return pushes;
  }
}
