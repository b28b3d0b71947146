// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The proxies that refuse what other proxies of their class run, or the other way around. They do
 * not vote until they reconnect. The last proxies of a class cannot diverge: there is no other
 * proxy to compare with.
 */
public final class DivergedProxies {
  private final TimeSource time;
  private final UnaryOperator<String> sanitise;
  private final Consumer<DivergedProxy> listener;
  private final SortedMap<String, DivergedProxy> byNode = new TreeMap<>();

  public DivergedProxies(
      TimeSource time, UnaryOperator<String> sanitise, Consumer<DivergedProxy> listener) {
    this.time = time;
    this.sanitise = sanitise;
    this.listener = listener;
  }

  void add(ProxyFleet.Member member, ResourceId resource, boolean accepts, String message) {
    DivergedProxy diverged =
        new DivergedProxy(
            member.node(),
            member.proxyClass(),
            member.connection(),
            resource,
            accepts,
            sanitise.apply(message),
            time.now());
    byNode.put(member.node(), diverged);
    listener.accept(diverged);
  }

  /** Most proxies of a class refuse a resource, as these did: they have not diverged. */
  void areRight(String proxyClass, ResourceId resource) {
    byNode
        .values()
        .removeIf(
            diverged ->
                diverged.proxyClass().equals(proxyClass)
                    && diverged.resource().equals(resource)
                    && !diverged.accepts());
  }

  public boolean contains(String node) {
    return byNode.containsKey(node);
  }

  /**
   * Forgets proxies that left, reconnected, or are the only ones left of their class.
   *
   * @param awaited others that left a moment ago may come back: until then, they are not alone
   */
  public void refresh(Collection<ProxyFleet.Member> members, AwaitedProxies awaited) {
    if (byNode.isEmpty()) {
      return;
    }
    SortedMap<String, DivergedProxy> left = new TreeMap<>();
    Set<String> others = new HashSet<>();
    for (ProxyFleet.Member member : members) {
      DivergedProxy diverged = byNode.get(member.node());
      if (diverged != null && diverged.connection() == member.connection()) {
        left.put(member.node(), diverged);
      } else {
        others.add(member.proxyClass());
      }
    }
    Map<String, Integer> alone = new HashMap<>();
    left.values().forEach(diverged -> alone.merge(diverged.proxyClass(), 1, Integer::sum));
    alone
        .entrySet()
        .removeIf(
            each ->
                others.contains(each.getKey())
                    || awaited.areAtLeast(each.getValue(), each.getKey()));
    left.values().removeIf(diverged -> alone.containsKey(diverged.proxyClass()));
    byNode.clear();
    byNode.putAll(left);
  }

  /** By node. */
  public SortedMap<String, DivergedProxy> all() {
    return Collections.unmodifiableSortedMap(byNode);
  }
}
