// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is different between views, for as long as they are being shown: a thousand streams make the
 * same few steps.
 */
final class SnapshotDiffs {
  private final Map<Step, List<Changed>> steps = new HashMap<>();

  /** The newest of them, which the next stream most likely makes, too. */
  private @Nullable Step last;

  private List<Changed> changes = List.of();

  /** A resource that is different; null where it is not there. */
  record Changed(ResourceId id, @Nullable Resource before, @Nullable Resource after) {}

  /** From one snapshot to another; snapshots are equal if they are the same. */
  private record Step(Snapshot from, Snapshot to) {}

  List<Changed> between(Snapshot before, Snapshot after) {
    if (last == null || last.from != before || last.to != after) {
      last = new Step(before, after);
      changes = steps.computeIfAbsent(last, SnapshotDiffs::changes);
    }
    return changes;
  }

  private static List<Changed> changes(Step step) {
    List<Changed> found = new ArrayList<>();
    Snapshot.diff(step.from(), step.to(), (id, was, is) -> found.add(new Changed(id, was, is)));
    return found;
  }
}
