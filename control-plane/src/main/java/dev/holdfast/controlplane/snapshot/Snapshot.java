// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.snapshot;

import static java.util.Objects.requireNonNull;

import dev.holdfast.base.PersistentMap;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that may be served, at one moment. Never changes; the next one shares what is the same, so
 * that a difference costs what is different.
 */
public final class Snapshot {
  private static final Snapshot EMPTY = new Snapshot(tables(), tables(), PersistentMap.empty());

  private final Map<ResourceType, ResourceTable> listed;
  private final Map<ResourceType, ResourceTable> byName;
  private final PersistentMap<ResourceId, String> absences;

  private Snapshot(
      Map<ResourceType, ResourceTable> listed,
      Map<ResourceType, ResourceTable> byName,
      PersistentMap<ResourceId, String> absences) {
    this.listed = listed;
    this.byName = byName;
    this.absences = absences;
  }

  private static Map<ResourceType, ResourceTable> tables() {
    Map<ResourceType, ResourceTable> tables = new EnumMap<>(ResourceType.class);
    ResourceType.ALL.forEach(type -> tables.put(type, ResourceTable.empty()));
    return tables;
  }

  /** Nothing is served. */
  public static Snapshot empty() {
    return EMPTY;
  }

  /** What those get who ask for all of a type. */
  public ResourceTable listed(ResourceType type) {
    return requireNonNull(listed.get(type));
  }

  /** What only those get who ask for it by name. */
  public ResourceTable byName(ResourceType type) {
    return requireNonNull(byName.get(type));
  }

  /** A resource by name; null if there is none. */
  public @Nullable Resource get(ResourceType type, String name) {
    Resource resource = listed(type).get(name);
    return resource == null ? byName(type).get(name) : resource;
  }

  /** A resource by name; null if there is none. */
  public @Nullable Resource get(ResourceId id) {
    return get(id.type(), id.name());
  }

  /** Why a resource that somebody may expect is not there; null if nothing is known of it. */
  public @Nullable String absence(ResourceId id) {
    return absences.get(id);
  }

  /** The same with one more resource, or another version of one. */
  public Snapshot with(Resource resource) {
    ResourceType type = resource.id().type();
    boolean all = resource.audience() == Resource.Audience.ALL;
    ResourceTable lists = all ? listed(type).with(resource) : listed(type).without(resource.name());
    ResourceTable names = all ? byName(type).without(resource.name()) : byName(type).with(resource);
    return replace(type, lists, names, absences.without(resource.id()));
  }

  /** The same without a resource. */
  public Snapshot without(ResourceId id) {
    return replace(
        id.type(),
        listed(id.type()).without(id.name()),
        byName(id.type()).without(id.name()),
        absences);
  }

  /** The same without a resource, with the reason; for those who ask for it. */
  public Snapshot absent(ResourceId id, String reason) {
    Snapshot without = without(id);
    return without.replace(
        id.type(), without.listed(id.type()), without.byName(id.type()), absences.with(id, reason));
  }

  /** The same without a reason for the absence of a resource: nobody expects it any more. */
  public Snapshot forget(ResourceId id) {
    return replace(id.type(), listed(id.type()), byName(id.type()), absences.without(id));
  }

  private Snapshot replace(
      ResourceType type,
      ResourceTable lists,
      ResourceTable names,
      PersistentMap<ResourceId, String> reasons) {
    if (lists == listed(type) && names == byName(type) && reasons == absences) {
      return this;
    }
    return new Snapshot(replace(listed, type, lists), replace(byName, type, names), reasons);
  }

  private static Map<ResourceType, ResourceTable> replace(
      Map<ResourceType, ResourceTable> tables, ResourceType type, ResourceTable table) {
    if (tables.get(type) == table) {
      return tables;
    }
    Map<ResourceType, ResourceTable> changed = new EnumMap<>(tables);
    changed.put(type, table);
    return changed;
  }

  /** What is different between two snapshots, by type and name; absences too. */
  public static void diff(Snapshot before, Snapshot after, Difference difference) {
    for (ResourceType type : ResourceType.ALL) {
      ResourceTable.diff(
          before.listed(type),
          after.listed(type),
          (name, from, to) -> difference.at(new ResourceId(type, name), from, to));
      ResourceTable.diff(
          before.byName(type),
          after.byName(type),
          (name, from, to) -> difference.at(new ResourceId(type, name), from, to));
    }
    PersistentMap.diff(
        before.absences,
        after.absences,
        (id, from, to) -> difference.at(id, before.get(id), after.get(id)));
  }

  /** Is told what is different between two snapshots; of one resource perhaps more than once. */
  @FunctionalInterface
  public interface Difference {
    /** A resource that is different; null where it is not there. */
    void at(ResourceId id, @Nullable Resource before, @Nullable Resource after);
  }
}
