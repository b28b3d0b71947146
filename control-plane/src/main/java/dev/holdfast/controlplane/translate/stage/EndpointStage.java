// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.stage;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.service.EndpointSlice;
import dev.holdfast.controlplane.objects.service.Service;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.host.ResourceNames;
import dev.holdfast.controlplane.translate.index.Derivations;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.IndexedObject;
import dev.holdfast.controlplane.translate.index.MultiMap;
import dev.holdfast.controlplane.translate.proto.cluster.Assignments;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The stage that builds the endpoints that clusters need.
 *
 * @param demanded by name and cluster
 */
record EndpointStage(
    MultiMap<ResourceId, String, EndpointStage.EndpointDemand> demanded,
    Derivations<ResourceId, Resource> derived,
    int work) {
  static final EndpointStage EMPTY = new EndpointStage(MultiMap.empty(), Derivations.empty(), 0);

  /** The port of a service whose endpoints a cluster needs. */
  record EndpointDemand(ObjectKey service, Service.Port port) {
    ResourceId id() {
      return ResourceNames.endpoints(service, port);
    }
  }

  EndpointStage with(StageInput input, Demand<ResourceId, EndpointDemand> demand) {
    SortedSet<ResourceId> ids = new TreeSet<>(derived.derivedFrom(input.changedFacts()));
    ids.addAll(demand.changed());
    Derivations<ResourceId, Resource> next = derived;
    for (ResourceId id : ids) {
      PersistentMap<String, EndpointDemand> requesters = demand.of(id);
      next =
          requesters.isEmpty()
              ? next.without(id)
              : next.derive(
                  id,
                  input.index(),
                  reader -> build(requesters.iterator().next().getValue(), reader));
      Resource after = next.get(id);
      if (after != null) {
        input.snapshot().publish(after);
      } else if (derived.get(id) != null) {
        input.snapshot().retract(id);
      }
    }
    return new EndpointStage(demand.demanded(), next, ids.size());
  }

  private static @Nullable Resource build(EndpointDemand demand, FactReader reader) {
    String name = demand.id().name();
    IndexedObject service = reader.indexed(demand.service());
    if (service == null) {
      return null;
    }
    List<EndpointSlice> slices = new ArrayList<>();
    List<FieldOrigin> origins = new ArrayList<>();
    origins.add(new FieldOrigin(demand.service(), service.generation(), "spec.ports"));
    PersistentMap<ObjectKey, String> parts = PersistentMap.empty();
    for (ObjectKey key : reader.slices(demand.service())) {
      IndexedObject indexed = reader.indexed(key);
      if (indexed != null && indexed.typed() instanceof EndpointSlice slice) {
        slices.add(slice);
        origins.add(new FieldOrigin(key, indexed.generation(), "endpoints"));
        parts = parts.with(key, version(name, demand, List.of(slice)));
      }
    }
    parts = parts.with(demand.service(), version(name, demand, List.of()));
    var bytes = Digests.serialise(Assignments.of(name, demand.port(), slices));
    return new Resource(
        demand.id(),
        Digests.of(bytes),
        bytes,
        Resource.Audience.ALL,
        parts,
        PersistentMap.empty(),
        () -> origins.stream().map(origin -> origin.of("")).toList());
  }

  private static String version(String name, EndpointDemand demand, List<EndpointSlice> slices) {
    return Digests.of(Digests.serialise(Assignments.of(name, demand.port(), slices)));
  }
}
