// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.stage;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.assemble.Fragment;
import dev.holdfast.controlplane.translate.assemble.SharedResource;
import dev.holdfast.controlplane.translate.check.ObjectProblem;
import dev.holdfast.controlplane.translate.host.FallbackChain;
import dev.holdfast.controlplane.translate.host.FilterUse;
import dev.holdfast.controlplane.translate.host.HostPlan;
import dev.holdfast.controlplane.translate.host.HostPlanner;
import dev.holdfast.controlplane.translate.index.Derivations;
import dev.holdfast.controlplane.translate.index.MultiMap;
import dev.holdfast.controlplane.translate.index.Settings;
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
 * The stage that plans hosts, and assembles what they contribute to shared resources.
 *
 * @param plain the virtual hosts without TLS
 * @param chains the filter chains with TLS
 * @param fallback the virtual hosts for clients that name no host in TLS, or an unknown one
 * @param fallbackHosts where these come from, by host
 * @param fallbackFilters the filters of policies for these hosts
 * @param problems the problems found while planning, by object and host
 * @param memberships the hosts that each object is part of
 */
public record HostStage(
    Derivations<String, HostPlan> plans,
    SharedResource plain,
    SharedResource chains,
    SharedResource fallback,
    PersistentMap<String, FieldOrigin> fallbackHosts,
    MultiMap<FilterUse, String, Boolean> fallbackFilters,
    MultiMap<ObjectKey, String, List<ObjectProblem>> problems,
    MultiMap<ObjectKey, String, Boolean> memberships,
    int work) {
  private static final SharedResource.Field VIRTUAL_HOSTS =
      new SharedResource.Field(RouteConfiguration.VIRTUAL_HOSTS_FIELD_NUMBER, "virtual_hosts");
  private static final SharedResource.Field FILTER_CHAINS =
      new SharedResource.Field(Listener.FILTER_CHAINS_FIELD_NUMBER, "filter_chains");

  /** The stage without hosts. */
  public static final HostStage EMPTY =
      new HostStage(
          Derivations.empty(),
          SharedResource.empty(VIRTUAL_HOSTS),
          SharedResource.empty(FILTER_CHAINS),
          SharedResource.empty(VIRTUAL_HOSTS),
          PersistentMap.empty(),
          MultiMap.empty(),
          MultiMap.empty(),
          MultiMap.empty(),
          0);

  /**
   * Plans the hosts that are affected by changed facts, and passes their demands to the later
   * stages.
   */
  HostStage with(StageInput input, Set<String> claimed, HostPlanner planner, Demands demands) {
    SortedSet<String> hosts = new TreeSet<>(plans.derivedFrom(input.changedFacts()));
    hosts.addAll(claimed);
    HostStage next = this;
    for (String host : hosts) {
      next = next.with(input, host, planner, demands);
    }
    return new HostStage(
        next.plans,
        next.plain,
        next.chainsWithFallback(this, input.index().settings(), planner),
        next.fallback,
        next.fallbackHosts,
        next.fallbackFilters,
        next.problems,
        next.memberships,
        hosts.size());
  }

  /** The filter chains, with the one that hosts with the fallback certificate share. */
  private SharedResource chainsWithFallback(
      HostStage before, Settings settings, HostPlanner planner) {
    if (fallbackHosts == before.fallbackHosts && fallbackFilters == before.fallbackFilters) {
      return chains;
    }
    ObjectKey certificate = settings.fallbackCertificate();
    if (certificate == null || fallbackHosts.isEmpty()) {
      return chains.with(FallbackChain.NAME, null);
    }
    SortedSet<FilterUse> filters = new TreeSet<>();
    fallbackFilters.forEach((filter, hosts) -> filters.add(filter));
    return chains.with(
        FallbackChain.NAME,
        planner.fallbackChain(certificate, fallbackHosts.iterator().next().getValue(), filters));
  }

  private HostStage with(StageInput input, String host, HostPlanner planner, Demands demands) {
    Derivations<String, HostPlan> nextPlans =
        plans.derive(host, input.index(), planner.cache(), reader -> planner.plan(host, reader));
    HostPlan before = orEmpty(plans.get(host));
    HostPlan after = orEmpty(nextPlans.get(host));
    publish(input, host, before, after);
    demands.clusters().replace(host, before.clusters(), after.clusters());
    demands.secrets().replace("host " + host, asMap(before.secrets()), asMap(after.secrets()));
    demands.filters().replace(host, asMap(before.filters()), asMap(after.filters()));
    return new HostStage(
        nextPlans,
        plain.with(host, after.plain()),
        chains.with(host, after.chain()),
        fallback.with(host, after.fallback()),
        fallbackHosts(host, after.fallback()),
        fallbackFilters(host, before, after),
        replace(problems, host, before.problems(), after.problems(), input.affected()),
        replace(
            memberships, host, asMap(before.members()), asMap(after.members()), input.affected()),
        work);
  }

  private PersistentMap<String, FieldOrigin> fallbackHosts(
      String host, @Nullable Fragment virtualHost) {
    if (virtualHost == null) {
      return fallbackHosts.get(host) == null ? fallbackHosts : fallbackHosts.without(host);
    }
    return virtualHost.origin().equals(fallbackHosts.get(host))
        ? fallbackHosts
        : fallbackHosts.with(host, virtualHost.origin());
  }

  private MultiMap<FilterUse, String, Boolean> fallbackFilters(
      String host, HostPlan before, HostPlan after) {
    SortedSet<FilterUse> old = before.fallback() == null ? new TreeSet<>() : before.filters();
    SortedSet<FilterUse> now = after.fallback() == null ? new TreeSet<>() : after.filters();
    MultiMap<FilterUse, String, Boolean> filters = fallbackFilters;
    for (FilterUse filter : old) {
      if (!now.contains(filter)) {
        filters = filters.without(filter, host);
      }
    }
    for (FilterUse filter : now) {
      if (!old.contains(filter)) {
        filters = filters.with(filter, host, true);
      }
    }
    return filters;
  }

  private static HostPlan orEmpty(@Nullable HostPlan plan) {
    return plan == null ? HostPlan.EMPTY : plan;
  }

  private static void publish(StageInput input, String host, HostPlan before, HostPlan after) {
    Set<ResourceId> kept = new HashSet<>();
    for (Resource resource : after.resources()) {
      kept.add(resource.id());
      input.snapshot().publish(resource);
    }
    for (Resource resource : before.resources()) {
      if (!kept.contains(resource.id())) {
        input.snapshot().retract(resource.id());
      }
    }
    for (ResourceId id : before.absenceReasons().keySet()) {
      if (!after.absenceReasons().containsKey(id)) {
        input.snapshot().removeReason(id, host);
      }
    }
    after.absenceReasons().forEach((id, reason) -> input.snapshot().addReason(id, host, reason));
  }

  private static <K> SortedMap<K, Boolean> asMap(SortedSet<K> keys) {
    SortedMap<K, Boolean> map = new TreeMap<>();
    keys.forEach(key -> map.put(key, true));
    return map;
  }

  private static <V> MultiMap<ObjectKey, String, V> replace(
      MultiMap<ObjectKey, String, V> map,
      String host,
      SortedMap<ObjectKey, V> before,
      SortedMap<ObjectKey, V> after,
      Set<ObjectKey> affected) {
    MultiMap<ObjectKey, String, V> changed = map;
    for (ObjectKey key : before.keySet()) {
      if (!after.containsKey(key)) {
        changed = changed.without(key, host);
        affected.add(key);
      }
    }
    for (Map.Entry<ObjectKey, V> entry : after.entrySet()) {
      if (!entry.getValue().equals(before.get(entry.getKey()))) {
        changed = changed.with(entry.getKey(), host, entry.getValue());
        affected.add(entry.getKey());
      }
    }
    return changed;
  }
}
