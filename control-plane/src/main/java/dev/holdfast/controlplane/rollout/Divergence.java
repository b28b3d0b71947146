// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import dev.holdfast.base.TimeSource;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The proxies that refuse what others of their class run. Until they come back they have no say;
 * but where nobody else of the class is left, there is nobody to diverge from.
 */
final class Divergence {
  private final TimeSource time;
  private final UnaryOperator<String> sanitise;
  private final Consumer<Diverged> listener;
  private final SortedMap<String, Diverged> byNode = new TreeMap<>();

  Divergence(TimeSource time, UnaryOperator<String> sanitise, Consumer<Diverged> listener) {
    this.time = time;
    this.sanitise = sanitise;
    this.listener = listener;
  }

  void add(Stages.Member member, Verdict.Refused refused) {
    Diverged diverged =
        new Diverged(
            member.node(),
            member.proxyClass(),
            member.connection(),
            refused.resource().id(),
            sanitise.apply(refused.message()),
            time.now());
    byNode.put(member.node(), diverged);
    listener.accept(diverged);
  }

  boolean contains(String node) {
    return byNode.containsKey(node);
  }

  /** Forgets those that are gone, have come back, or are all that is left of their class. */
  void refresh(Collection<Stages.Member> members) {
    if (byNode.isEmpty()) {
      return;
    }
    SortedMap<String, Diverged> left = new TreeMap<>();
    SortedMap<String, Boolean> others = new TreeMap<>();
    for (Stages.Member member : members) {
      Diverged diverged = byNode.get(member.node());
      if (diverged != null && diverged.connection() == member.connection()) {
        left.put(member.node(), diverged);
      } else {
        others.put(member.proxyClass(), true);
      }
    }
    left.values().removeIf(diverged -> !others.containsKey(diverged.proxyClass()));
    byNode.clear();
    byNode.putAll(left);
  }

  /** By node. */
  SortedMap<String, Diverged> all() {
    return Collections.unmodifiableSortedMap(byNode);
  }
}
