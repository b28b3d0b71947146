// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.controlplane.translate.assemble.SnapshotBuilder;
import dev.holdfast.controlplane.translate.index.Index;
import dev.holdfast.controlplane.translate.index.IndexChange;
import dev.holdfast.controlplane.translate.index.IndexedObject;
import dev.holdfast.controlplane.translate.stage.StageInput;
import dev.holdfast.controlplane.translate.stage.Stages;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An immutable set of objects with the resources translated from them. {@link #with} returns
 * another translation that shares everything unchanged, so that any number of translations can be
 * kept and continued independently. Equal objects give equal resources, byte for byte, in whatever
 * order they were added.
 *
 * <p>Objects are split into {@link dev.holdfast.controlplane.translate.index.Fact facts}.
 * Everything derived (a host, a cluster, the problems of an object) records the facts that it was
 * derived from, and is derived again only when one of them changes. Resource names never depend on
 * the content of resources.
 */
public final class Translation {
  private final SharedListeners listeners;
  private final Index index;
  private final Stages stages;
  private final SnapshotBuilder.State published;
  private final PersistentMap<ObjectKey, TranslatedObject> objects;

  private Translation(
      SharedListeners listeners,
      Index index,
      Stages stages,
      SnapshotBuilder.State published,
      PersistentMap<ObjectKey, TranslatedObject> objects) {
    this.listeners = listeners;
    this.index = index;
    this.stages = stages;
    this.published = published;
    this.objects = objects;
  }

  /** A translation without objects: its only listener has no routes. */
  public static Translation empty(TranslationOptions options) {
    SharedListeners listeners = new SharedListeners(options);
    SnapshotBuilder builder = new SnapshotBuilder(SnapshotBuilder.State.EMPTY);
    listeners.publishEmpty(builder);
    return new Translation(
        listeners,
        Index.empty(options.settings()),
        Stages.EMPTY,
        builder.state(),
        PersistentMap.empty());
  }

  /**
   * The translation after these changes; a null value removes the object. The cost follows the size
   * of the change.
   */
  public Translation with(SortedMap<ObjectKey, @Nullable ConfigObject> changes) {
    IndexChange change = index.with(changes);
    if (change.changedObjects().isEmpty()) {
      return this;
    }
    SnapshotBuilder builder = new SnapshotBuilder(published);
    StageInput input = new StageInput(change.index(), change.changedFacts(), builder);
    input.affected().addAll(change.changedObjects());
    Stages next = stages.with(input, change, listeners.planner(), listeners.clusters());
    listeners.publishChanged(builder, stages, next);
    input.affected().addAll(builder.affectedObjects());
    SnapshotBuilder.State state = builder.state();
    PersistentMap<ObjectKey, TranslatedObject> translated = objects;
    for (ObjectKey key : input.affected()) {
      IndexedObject indexed = input.index().objects().get(key);
      translated =
          indexed == null
              ? translated.without(key)
              : translated.with(
                  key, TranslatedObjects.of(indexed, next, state.footprints().get(key)));
    }
    return new Translation(listeners, input.index(), next, state, translated);
  }

  /** The resources to serve. */
  public Snapshot snapshot() {
    return published.snapshot();
  }

  /** The result for each object. */
  public PersistentMap<ObjectKey, TranslatedObject> objects() {
    return objects;
  }

  /** The objects that claim a host. */
  public SortedSet<ObjectKey> claimants(String host) {
    SortedSet<ObjectKey> claimants = new TreeSet<>();
    index.claimsOf(host).forEach((key, claim) -> claimants.add(key));
    return claimants;
  }

  /** The policies for an object. */
  public SortedSet<ObjectKey> policies(ObjectKey target) {
    SortedSet<ObjectKey> policies = new TreeSet<>();
    index.policiesFor(target).forEach((key, unused) -> policies.add(key));
    return policies;
  }

  /** How much was derived for the last change. */
  Stages.Work work() {
    return stages.work();
  }
}
