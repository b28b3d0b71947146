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
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The clusters that hosts ask for.
 *
 * @param asked by cluster and host
 */
record ClusterStage(
    MultiMap<String, String, ClusterDemand> asked,
    Derivations<String, PlannedResource> made,
    int work) {
  static final ClusterStage EMPTY = new ClusterStage(MultiMap.empty(), Derivations.empty(), 0);

  /**
   * A cluster and what it asks for in turn.
   *
   * @param authority the secret with whom to trust; null if it needs none
   */
  record PlannedResource(
      Resource resource, EndpointStage.Wanted endpoints, @Nullable SecretDemand authority) {}

  ClusterStage with(
      StageInput turn,
      Demand<String, ClusterDemand> demand,
      ClusterBuilder maker,
      Demand<ResourceId, EndpointStage.Wanted> endpoints,
      Demand<SecretDemand, Boolean> secrets) {
    SortedSet<String> names = new TreeSet<>(made.derivedFrom(turn.news()));
    names.addAll(demand.changed());
    Derivations<String, PlannedResource> next = made;
    for (String name : names) {
      PersistentMap<String, ClusterDemand> askers = demand.of(name);
      next =
          askers.isEmpty()
              ? next.without(name)
              : next.derive(name, turn.index(), reader -> maker.make(askers, reader));
      PlannedResource before = made.get(name);
      PlannedResource after = next.get(name);
      if (after != null) {
        turn.publication().publish(after.resource());
      } else if (before != null) {
        turn.publication().retract(ResourceNames.cluster(name));
      }
      endpoints.change(name, endpointsOf(before), endpointsOf(after));
      secrets.change("cluster " + name, secretsOf(before), secretsOf(after));
    }
    return new ClusterStage(demand.asked(), next, names.size());
  }

  private static SortedMap<ResourceId, EndpointStage.Wanted> endpointsOf(
      @Nullable PlannedResource cluster) {
    SortedMap<ResourceId, EndpointStage.Wanted> wanted = new TreeMap<>();
    if (cluster != null) {
      wanted.put(cluster.endpoints().id(), cluster.endpoints());
    }
    return wanted;
  }

  private static SortedMap<SecretDemand, Boolean> secretsOf(@Nullable PlannedResource cluster) {
    SortedMap<SecretDemand, Boolean> wanted = new TreeMap<>();
    if (cluster != null && cluster.authority() != null) {
      wanted.put(cluster.authority(), true);
    }
    return wanted;
  }
}
