// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.snapshot;

import static java.util.Objects.requireNonNull;

import dev.holdfast.base.PersistentMap;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An immutable set of all resources that may be served at one moment. Successive snapshots share
 * what did not change, so the cost of a diff follows the size of the difference.
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

  /** A snapshot without resources. */
  public static Snapshot empty() {
    return EMPTY;
  }

  /** The resources of a type that wildcard subscriptions receive. */
  public ResourceTable listed(ResourceType type) {
    return requireNonNull(listed.get(type));
  }

  /** The resources of a type that only subscriptions by name receive. */
  public ResourceTable byName(ResourceType type) {
    return requireNonNull(byName.get(type));
  }

  /** The resource of that type and name; null if there is none. */
  public @Nullable Resource get(ResourceType type, String name) {
    Resource resource = listed(type).get(name);
    return resource == null ? byName(type).get(name) : resource;
  }

  /** The resource with that id; null if there is none. */
  public @Nullable Resource get(ResourceId id) {
    return get(id.type(), id.name());
  }

  /** Why a resource that proxies may ask for is missing; null if no reason is known. */
  public @Nullable String absence(ResourceId id) {
    return absences.get(id);
  }

  /** A copy in which a resource is added or replaced. */
  public Snapshot with(Resource resource) {
    ResourceType type = resource.id().type();
    boolean all = resource.audience() == Resource.Audience.ALL;
    ResourceTable lists = all ? listed(type).with(resource) : listed(type).without(resource.name());
    ResourceTable names = all ? byName(type).without(resource.name()) : byName(type).with(resource);
    return replace(type, lists, names, absences.without(resource.id()));
  }

  /** A copy without the resource. */
  public Snapshot without(ResourceId id) {
    return replace(
        id.type(),
        listed(id.type()).without(id.name()),
        byName(id.type()).without(id.name()),
        absences);
  }

  /**
   * A copy without the resource, and with the reason why it is missing, for proxies that ask for
   * it.
   */
  public Snapshot withAbsence(ResourceId id, String reason) {
    Snapshot without = without(id);
    return without.replace(
        id.type(), without.listed(id.type()), without.byName(id.type()), absences.with(id, reason));
  }

  /** A copy without the resources of a type. */
  public Snapshot withoutAll(ResourceType type) {
    return replace(type, ResourceTable.empty(), ResourceTable.empty(), absences);
  }

  /** A copy without the resources of a type that wildcard subscriptions receive. */
  public Snapshot withoutListed(ResourceType type) {
    return replace(type, ResourceTable.empty(), byName(type), absences);
  }

  /**
   * A copy without the reason why a resource is missing: no object refers to the resource any more.
   */
  public Snapshot withoutAbsence(ResourceId id) {
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

  /**
   * Passes on the differences between two snapshots by type and name, including those of absences.
   */
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

  /**
   * Receives the differences between two snapshots; the same resource may be passed on more than
   * once.
   */
  @FunctionalInterface
  public interface Difference {
    /** A resource differs; before or after is null where the resource is missing. */
    void at(ResourceId id, @Nullable Resource before, @Nullable Resource after);
  }
}
