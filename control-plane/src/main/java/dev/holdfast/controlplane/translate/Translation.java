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
import org.jspecify.annotations.Nullable;

/**
 * Objects, and the resources that they become. A value: {@link #with} gives another one that shares
 * all that is the same, so any number of them can be kept and each continued by itself. The same
 * objects give the same resources, byte for byte, whichever way they came.
 *
 * <p>How it works: objects are cut into {@link dev.holdfast.controlplane.translate.index.Fact
 * facts}. Everything derived (a host, a cluster, what is wrong with an object) notes the facts it
 * was derived from, and is derived again only when one of them is news. Names of resources never
 * depend on their content.
 */
public final class Translation {
  private final SharedListeners edge;
  private final Index index;
  private final Stages stages;
  private final SnapshotBuilder.State published;
  private final PersistentMap<ObjectKey, TranslatedObject> objects;

  private Translation(
      SharedListeners edge,
      Index index,
      Stages stages,
      SnapshotBuilder.State published,
      PersistentMap<ObjectKey, TranslatedObject> objects) {
    this.edge = edge;
    this.index = index;
    this.stages = stages;
    this.published = published;
    this.objects = objects;
  }

  /** No objects: a listener that answers nobody. */
  public static Translation empty(TranslationOptions options) {
    SharedListeners edge = new SharedListeners(options);
    SnapshotBuilder publication = new SnapshotBuilder(SnapshotBuilder.State.EMPTY);
    edge.open(publication);
    return new Translation(
        edge,
        Index.empty(options.ingressClass()),
        Stages.EMPTY,
        publication.state(),
        PersistentMap.empty());
  }

  /**
   * The translation of these objects and of all others as before; null for an object that is no
   * more. The cost follows what changed.
   */
  public Translation with(SortedMap<ObjectKey, @Nullable ConfigObject> changes) {
    IndexChange change = index.with(changes);
    if (change.objects().isEmpty()) {
      return this;
    }
    SnapshotBuilder publication = new SnapshotBuilder(published);
    StageInput turn = new StageInput(change.index(), change.news(), publication);
    turn.touched().addAll(change.objects());
    Stages next = stages.with(turn, change, edge.planner(), edge.clusters());
    edge.assemble(publication, stages, next);
    turn.touched().addAll(publication.touched());
    SnapshotBuilder.State state = publication.state();
    PersistentMap<ObjectKey, TranslatedObject> views = objects;
    for (ObjectKey key : turn.touched()) {
      IndexedObject input = turn.index().inputs().get(key);
      views =
          input == null
              ? views.without(key)
              : views.with(key, TranslatedObjects.of(input, next, state.footprints().get(key)));
    }
    return new Translation(edge, turn.index(), next, state, views);
  }

  /** What is served. */
  public Snapshot snapshot() {
    return published.snapshot();
  }

  /** What is known of each object that was given. */
  public PersistentMap<ObjectKey, TranslatedObject> objects() {
    return objects;
  }

  /** What the last change cost. */
  Stages.Work work() {
    return stages.work();
  }
}
