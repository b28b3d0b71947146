// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.assemble;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.controlplane.translate.index.MultiMap;
import java.util.Iterator;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Builds the next snapshot from the previous one. Keeps the footprints of objects consistent with
 * the contributions of resources, and the reasons for absent resources consistent with the
 * resources that exist. Used for one translation step.
 */
public final class SnapshotBuilder {
  /**
   * The published resources.
   *
   * @param footprints the resources that each object contributes to
   * @param reasons why a resource would be absent, by resource and by the host that refers to it
   */
  public record State(
      Snapshot snapshot,
      MultiMap<ObjectKey, ResourceId, String> footprints,
      MultiMap<ResourceId, String, String> reasons) {
    public static final State EMPTY =
        new State(Snapshot.empty(), MultiMap.empty(), MultiMap.empty());
  }

  private Snapshot snapshot;
  private MultiMap<ObjectKey, ResourceId, String> footprints;
  private MultiMap<ResourceId, String, String> reasons;
  private final SortedSet<ObjectKey> affected = new TreeSet<>();
  private final SortedSet<ResourceId> maybeAbsent = new TreeSet<>();

  public SnapshotBuilder(State before) {
    this.snapshot = before.snapshot();
    this.footprints = before.footprints();
    this.reasons = before.reasons();
  }

  /** Adds or replaces a resource. */
  public void publish(Resource resource) {
    Resource old = snapshot.get(resource.id());
    updateFootprints(resource.id(), contributions(old), resource.contributions());
    // Remove first: the table keeps an equal resource, but the new one may have other
    // contributions.
    snapshot = (old == null ? snapshot : snapshot.without(resource.id())).with(resource);
  }

  /** Removes a resource. */
  public void retract(ResourceId id) {
    updateFootprints(id, contributions(snapshot.get(id)), PersistentMap.empty());
    snapshot = snapshot.without(id);
    maybeAbsent.add(id);
  }

  private static PersistentMap<ObjectKey, String> contributions(@Nullable Resource resource) {
    return resource == null ? PersistentMap.empty() : resource.contributions();
  }

  private void updateFootprints(
      ResourceId id,
      PersistentMap<ObjectKey, String> before,
      PersistentMap<ObjectKey, String> after) {
    PersistentMap.diff(
        before,
        after,
        (object, from, to) -> {
          affected.add(object);
          footprints =
              to == null ? footprints.without(object, id) : footprints.with(object, id, to);
        });
  }

  /** A host refers to a resource; if the resource is absent, this is the reason. */
  public void addReason(ResourceId id, String host, String reason) {
    reasons = reasons.with(id, host, reason);
    maybeAbsent.add(id);
  }

  /** A host no longer refers to a resource. */
  public void removeReason(ResourceId id, String host) {
    reasons = reasons.without(id, host);
    maybeAbsent.add(id);
  }

  /** The objects whose footprints changed. */
  public SortedSet<ObjectKey> affectedObjects() {
    return affected;
  }

  /** The resulting state. */
  public State state() {
    for (ResourceId id : maybeAbsent) {
      if (snapshot.get(id) == null) {
        Iterator<Map.Entry<String, String>> first = reasons.get(id).iterator();
        snapshot =
            first.hasNext()
                ? snapshot.withAbsence(id, first.next().getValue())
                : snapshot.withoutAbsence(id);
      }
    }
    return new State(snapshot, footprints, reasons);
  }
}
