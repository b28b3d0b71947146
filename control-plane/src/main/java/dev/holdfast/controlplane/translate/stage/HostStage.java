// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.stage;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.translate.assemble.SharedResource;
import dev.holdfast.controlplane.translate.check.ObjectProblem;
import dev.holdfast.controlplane.translate.host.HostPlan;
import dev.holdfast.controlplane.translate.host.HostPlanner;
import dev.holdfast.controlplane.translate.index.Derivations;
import dev.holdfast.controlplane.translate.index.MultiMap;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What each host becomes, and what that adds up to.
 *
 * @param plain the virtual hosts without TLS
 * @param chains the filter chains with TLS
 * @param remarks what hosts have to say of objects
 * @param visits the hosts that an object has a part in
 */
public record HostStage(
    Derivations<String, HostPlan> plans,
    SharedResource plain,
    SharedResource chains,
    MultiMap<ObjectKey, String, List<ObjectProblem>> remarks,
    MultiMap<ObjectKey, String, Boolean> visits,
    int work) {
  private static final SharedResource.Field VIRTUAL_HOSTS =
      new SharedResource.Field(RouteConfiguration.VIRTUAL_HOSTS_FIELD_NUMBER, "virtual_hosts");
  private static final SharedResource.Field FILTER_CHAINS =
      new SharedResource.Field(Listener.FILTER_CHAINS_FIELD_NUMBER, "filter_chains");

  /** No hosts. */
  public static final HostStage EMPTY =
      new HostStage(
          Derivations.empty(),
          SharedResource.empty(VIRTUAL_HOSTS),
          SharedResource.empty(FILTER_CHAINS),
          MultiMap.empty(),
          MultiMap.empty(),
          0);

  /** Derives the hosts that have news, and tells the next stages what they ask for. */
  HostStage with(StageInput turn, Set<String> claimed, HostPlanner planner, Demands demands) {
    SortedSet<String> hosts = new TreeSet<>(plans.derivedFrom(turn.news()));
    hosts.addAll(claimed);
    HostStage next = this;
    for (String host : hosts) {
      next = next.with(turn, host, planner, demands);
    }
    return new HostStage(
        next.plans, next.plain, next.chains, next.remarks, next.visits, hosts.size());
  }

  private HostStage with(StageInput turn, String host, HostPlanner planner, Demands demands) {
    Derivations<String, HostPlan> derived =
        plans.derive(host, turn.index(), planner.memo(), reader -> planner.plan(host, reader));
    HostPlan before = orNone(plans.get(host));
    HostPlan after = orNone(derived.get(host));
    publish(turn, host, before, after);
    demands.clusters().change(host, before.clusters(), after.clusters());
    demands.secrets().change("host " + host, all(before.secrets()), all(after.secrets()));
    demands.filters().change(host, all(before.filters()), all(after.filters()));
    return new HostStage(
        derived,
        plain.with(host, after.plain()),
        chains.with(host, after.chain()),
        replace(remarks, host, before.remarks(), after.remarks(), turn.touched()),
        replace(visits, host, all(before.visited()), all(after.visited()), turn.touched()),
        work);
  }

  private static HostPlan orNone(@Nullable HostPlan plan) {
    return plan == null ? HostPlan.NONE : plan;
  }

  private static void publish(StageInput turn, String host, HostPlan before, HostPlan after) {
    Set<ResourceId> kept = new HashSet<>();
    for (Resource resource : after.own()) {
      kept.add(resource.id());
      turn.publication().publish(resource);
    }
    for (Resource resource : before.own()) {
      if (!kept.contains(resource.id())) {
        turn.publication().retract(resource.id());
      }
    }
    for (ResourceId id : before.reasons().keySet()) {
      if (!after.reasons().containsKey(id)) {
        turn.publication().dismiss(id, host);
      }
    }
    after.reasons().forEach((id, reason) -> turn.publication().expect(id, host, reason));
  }

  private static <K> SortedMap<K, Boolean> all(SortedSet<K> keys) {
    SortedMap<K, Boolean> map = new TreeMap<>();
    keys.forEach(key -> map.put(key, true));
    return map;
  }

  private static <V> MultiMap<ObjectKey, String, V> replace(
      MultiMap<ObjectKey, String, V> map,
      String host,
      SortedMap<ObjectKey, V> before,
      SortedMap<ObjectKey, V> after,
      Set<ObjectKey> touched) {
    MultiMap<ObjectKey, String, V> changed = map;
    for (ObjectKey key : before.keySet()) {
      if (!after.containsKey(key)) {
        changed = changed.without(key, host);
        touched.add(key);
      }
    }
    for (Map.Entry<ObjectKey, V> entry : after.entrySet()) {
      if (!entry.getValue().equals(before.get(entry.getKey()))) {
        changed = changed.with(entry.getKey(), host, entry.getValue());
        touched.add(entry.getKey());
      }
    }
    return changed;
  }
}
