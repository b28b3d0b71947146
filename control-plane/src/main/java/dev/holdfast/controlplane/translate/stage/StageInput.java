// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.stage;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.translate.assemble.SnapshotBuilder;
import dev.holdfast.controlplane.translate.index.Fact;
import dev.holdfast.controlplane.translate.index.Index;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The input that all stages share in one translation step.
 *
 * @param index the objects after the change
 * @param changedFacts the facts whose values changed
 * @param snapshot receives the resources that stages publish
 * @param affected collects the objects whose result must be computed again
 */
public record StageInput(
    Index index,
    SortedSet<Fact> changedFacts,
    SnapshotBuilder snapshot,
    SortedSet<ObjectKey> affected) {
  public StageInput(Index index, SortedSet<Fact> changedFacts, SnapshotBuilder snapshot) {
    this(index, changedFacts, snapshot, new TreeSet<>());
  }
}
