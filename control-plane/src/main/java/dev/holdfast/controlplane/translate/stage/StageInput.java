// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.stage;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.translate.assemble.SnapshotBuilder;
import dev.holdfast.controlplane.translate.index.Fact;
import dev.holdfast.controlplane.translate.index.Index;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What the stages of one turn have in common.
 *
 * @param index the objects as they are now
 * @param news the facts that are not what they were
 * @param touched the objects of which something else is known now
 */
public record StageInput(
    Index index, SortedSet<Fact> news, SnapshotBuilder publication, SortedSet<ObjectKey> touched) {
  public StageInput(Index index, SortedSet<Fact> news, SnapshotBuilder publication) {
    this(index, news, publication, new TreeSet<>());
  }
}
