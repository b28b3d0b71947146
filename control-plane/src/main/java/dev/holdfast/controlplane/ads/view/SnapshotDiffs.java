// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.view;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Differences between snapshots, computed once for all streams that change from the same snapshot
 * to the same other one. Lives as long as one change of the views is applied.
 */
public final class SnapshotDiffs {
  private final Map<Step, List<Change>> steps = new HashMap<>();

  /** The latest step, which the next stream most likely takes too. */
  private @Nullable Step last;

  private List<Change> changes = List.of();

  /** A resource that differs; null where it does not exist. */
  public record Change(ResourceId id, @Nullable Resource before, @Nullable Resource after) {}

  /** From one snapshot to another; snapshots are compared by identity. */
  private record Step(Snapshot from, Snapshot to) {}

  public List<Change> between(Snapshot before, Snapshot after) {
    if (last == null || last.from != before || last.to != after) {
      last = new Step(before, after);
      changes = steps.computeIfAbsent(last, SnapshotDiffs::changes);
    }
    return changes;
  }

  private static List<Change> changes(Step step) {
    List<Change> found = new ArrayList<>();
    Snapshot.diff(
        step.from(), step.to(), (id, before, after) -> found.add(new Change(id, before, after)));
    return found;
  }
}
