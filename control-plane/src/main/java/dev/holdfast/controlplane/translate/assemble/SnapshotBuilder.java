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
 * A snapshot on its way to the next one. Keeps the footprints of objects in step with what the
 * resources say of their contributors, and the reasons of what is not there with what is. Lives for
 * one turn.
 */
public final class SnapshotBuilder {
  /**
   * What is published.
   *
   * @param footprints by object, the resources it has a part in
   * @param reasons why a resource would not be there, by who expects it
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
  private final SortedSet<ObjectKey> touched = new TreeSet<>();
  private final SortedSet<ResourceId> expectations = new TreeSet<>();

  public SnapshotBuilder(State before) {
    this.snapshot = before.snapshot();
    this.footprints = before.footprints();
    this.reasons = before.reasons();
  }

  /** Puts a resource in the place of the one of that name. */
  public void publish(Resource resource) {
    Resource old = snapshot.get(resource.id());
    follow(resource.id(), contributions(old), resource.contributions());
    // Without first: equal bytes may have come to be in another way.
    snapshot = (old == null ? snapshot : snapshot.without(resource.id())).with(resource);
  }

  /** Takes a resource away. */
  public void retract(ResourceId id) {
    follow(id, contributions(snapshot.get(id)), PersistentMap.empty());
    snapshot = snapshot.without(id);
    expectations.add(id);
  }

  private static PersistentMap<ObjectKey, String> contributions(@Nullable Resource resource) {
    return resource == null ? PersistentMap.empty() : resource.contributions();
  }

  private void follow(
      ResourceId id,
      PersistentMap<ObjectKey, String> before,
      PersistentMap<ObjectKey, String> after) {
    PersistentMap.diff(
        before,
        after,
        (object, from, to) -> {
          touched.add(object);
          footprints =
              to == null ? footprints.without(object, id) : footprints.with(object, id, to);
        });
  }

  /** Somebody expects a resource; if it is not there, this is why. */
  public void expect(ResourceId id, String who, String reason) {
    reasons = reasons.with(id, who, reason);
    expectations.add(id);
  }

  /** Somebody does not expect a resource any more. */
  public void dismiss(ResourceId id, String who) {
    reasons = reasons.without(id, who);
    expectations.add(id);
  }

  /** The objects whose footprint is another. */
  public SortedSet<ObjectKey> touched() {
    return touched;
  }

  /** What is published now. */
  public State state() {
    for (ResourceId id : expectations) {
      if (snapshot.get(id) == null) {
        Iterator<Map.Entry<String, String>> first = reasons.get(id).iterator();
        snapshot =
            first.hasNext() ? snapshot.absent(id, first.next().getValue()) : snapshot.forget(id);
      }
    }
    return new State(snapshot, footprints, reasons);
  }
}
