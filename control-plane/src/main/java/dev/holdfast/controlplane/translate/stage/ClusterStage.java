// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.stage;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.translate.host.ClusterDemand;
import dev.holdfast.controlplane.translate.host.ResourceNames;
import dev.holdfast.controlplane.translate.host.SecretDemand;
import dev.holdfast.controlplane.translate.index.Derivations;
import dev.holdfast.controlplane.translate.index.MultiMap;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The stage that builds the clusters that hosts need.
 *
 * @param demanded by cluster and host
 */
record ClusterStage(
    MultiMap<String, String, ClusterDemand> demanded,
    Derivations<String, PlannedResource> derived,
    int work) {
  static final ClusterStage EMPTY = new ClusterStage(MultiMap.empty(), Derivations.empty(), 0);

  /**
   * A cluster with the resources that it needs in turn.
   *
   * @param endpoints null if the proxy resolves a name
   * @param secrets what it trusts, and what it shows
   */
  record PlannedResource(
      Resource resource,
      EndpointStage.@Nullable EndpointDemand endpoints,
      List<SecretDemand> secrets) {
    PlannedResource {
      secrets = List.copyOf(secrets);
    }
  }

  ClusterStage with(
      StageInput input,
      Demand<String, ClusterDemand> demand,
      ClusterBuilder clusterBuilder,
      Demand<ResourceId, EndpointStage.EndpointDemand> endpoints,
      Demand<SecretDemand, Boolean> secrets) {
    SortedSet<String> names = new TreeSet<>(derived.derivedFrom(input.changedFacts()));
    names.addAll(demand.changed());
    Derivations<String, PlannedResource> next = derived;
    for (String name : names) {
      PersistentMap<String, ClusterDemand> demands = demand.of(name);
      next =
          demands.isEmpty()
              ? next.without(name)
              : next.derive(name, input.index(), reader -> clusterBuilder.build(demands, reader));
      PlannedResource before = derived.get(name);
      PlannedResource after = next.get(name);
      if (after != null) {
        input.snapshot().publish(after.resource());
      } else if (before != null) {
        input.snapshot().retract(ResourceNames.cluster(name));
      }
      endpoints.replace(name, endpointsOf(before), endpointsOf(after));
      secrets.replace("cluster " + name, secretsOf(before), secretsOf(after));
    }
    return new ClusterStage(demand.demanded(), next, names.size());
  }

  private static SortedMap<ResourceId, EndpointStage.EndpointDemand> endpointsOf(
      @Nullable PlannedResource cluster) {
    SortedMap<ResourceId, EndpointStage.EndpointDemand> endpoints = new TreeMap<>();
    if (cluster != null && cluster.endpoints() != null) {
      endpoints.put(cluster.endpoints().id(), cluster.endpoints());
    }
    return endpoints;
  }

  private static SortedMap<SecretDemand, Boolean> secretsOf(@Nullable PlannedResource cluster) {
    SortedMap<SecretDemand, Boolean> secrets = new TreeMap<>();
    if (cluster != null) {
      cluster.secrets().forEach(secret -> secrets.put(secret, true));
    }
    return secrets;
  }
}
