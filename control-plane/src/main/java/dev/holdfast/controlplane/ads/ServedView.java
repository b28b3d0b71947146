// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.Set;

/**
 * What some proxies are shown.
 *
 * @param baseline what most of them see
 * @param canaries the nodes of those that see the trial instead
 */
record ServedView(Snapshot baseline, Set<String> canaries, Snapshot trial) {
  static final ServedView EMPTY = new ServedView(Snapshot.empty(), Set.of(), Snapshot.empty());

  ServedView {
    canaries = Set.copyOf(canaries);
  }

  Snapshot of(String node) {
    return canaries.contains(node) ? trial : baseline;
  }

  boolean has(ResourceId id) {
    return baseline.get(id) != null || trial.get(id) != null;
  }
}
