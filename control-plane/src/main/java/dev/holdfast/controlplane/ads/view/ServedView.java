// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.view;

import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.Set;

/**
 * The snapshots that a group of proxies is served.
 *
 * @param baseline for all proxies but the canaries
 * @param canaries node ids of the proxies that are served the trial
 */
public record ServedView(Snapshot baseline, Set<String> canaries, Snapshot trial) {
  static final ServedView EMPTY = new ServedView(Snapshot.empty(), Set.of(), Snapshot.empty());

  public ServedView {
    canaries = Set.copyOf(canaries);
  }

  /** The snapshot that a node is served. */
  public Snapshot of(String node) {
    return canaries.contains(node) ? trial : baseline;
  }

  boolean has(ResourceId id) {
    return baseline.get(id) != null || trial.get(id) != null;
  }
}
