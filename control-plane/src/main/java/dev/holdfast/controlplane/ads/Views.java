// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is different between views. Remembers the last: a thousand streams make the same step. */
final class Views {
  private @Nullable Snapshot from;
  private @Nullable Snapshot to;
  private List<Changed> changes = List.of();

  /** A resource that is different; null where it is not there. */
  record Changed(ResourceId id, @Nullable Resource before, @Nullable Resource after) {}

  List<Changed> between(Snapshot before, Snapshot after) {
    if (before != from || after != to) {
      List<Changed> found = new ArrayList<>();
      Snapshot.diff(before, after, (id, was, is) -> found.add(new Changed(id, was, is)));
      from = before;
      to = after;
      changes = found;
    }
    return changes;
  }
}
