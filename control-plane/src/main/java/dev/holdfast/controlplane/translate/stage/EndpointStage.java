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
 * The endpoints that clusters ask for.
 *
 * @param asked by name and cluster
 */
record EndpointStage(
    MultiMap<ResourceId, String, EndpointStage.Wanted> asked,
    Derivations<ResourceId, Resource> made,
    int work) {
  static final EndpointStage EMPTY = new EndpointStage(MultiMap.empty(), Derivations.empty(), 0);

  /** A port of a service. */
  record Wanted(ObjectKey service, Service.Port port) {
    ResourceId id() {
      return ResourceNames.endpoints(service, port);
    }
  }

  EndpointStage with(StageInput turn, Demand<ResourceId, Wanted> demand) {
    SortedSet<ResourceId> ids = new TreeSet<>(made.derivedFrom(turn.news()));
    ids.addAll(demand.changed());
    Derivations<ResourceId, Resource> next = made;
    for (ResourceId id : ids) {
      PersistentMap<String, Wanted> askers = demand.of(id);
      next =
          askers.isEmpty()
              ? next.without(id)
              : next.derive(
                  id, turn.index(), reader -> make(askers.iterator().next().getValue(), reader));
      Resource after = next.get(id);
      if (after != null) {
        turn.publication().publish(after);
      } else if (made.get(id) != null) {
        turn.publication().retract(id);
      }
    }
    return new EndpointStage(demand.asked(), next, ids.size());
  }

  private static @Nullable Resource make(Wanted wanted, FactReader reader) {
    String name = wanted.id().name();
    IndexedObject service = reader.input(wanted.service());
    if (service == null) {
      return null;
    }
    List<EndpointSlice> slices = new ArrayList<>();
    List<FieldOrigin> origins = new ArrayList<>();
    origins.add(new FieldOrigin(wanted.service(), service.generation(), "spec.ports"));
    PersistentMap<ObjectKey, String> parts = PersistentMap.empty();
    for (ObjectKey key : reader.slices(wanted.service())) {
      IndexedObject input = reader.input(key);
      if (input != null && input.typed() instanceof EndpointSlice slice) {
        slices.add(slice);
        origins.add(new FieldOrigin(key, input.generation(), "endpoints"));
        parts = parts.with(key, version(name, wanted, List.of(slice)));
      }
    }
    parts = parts.with(wanted.service(), version(name, wanted, List.of()));
    var bytes = Digests.serialise(Assignments.of(name, wanted.port(), slices));
    return new Resource(
        wanted.id(),
        Digests.of(bytes),
        bytes,
        Resource.Audience.ALL,
        parts,
        PersistentMap.empty(),
        () -> origins.stream().map(origin -> origin.of("")).toList());
  }

  private static String version(String name, Wanted wanted, List<EndpointSlice> slices) {
    return Digests.of(Digests.serialise(Assignments.of(name, wanted.port(), slices)));
  }
}
