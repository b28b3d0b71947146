// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.view;

import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.Map;

/**
 * The snapshots that a group of proxies is served.
 *
 * @param baseline for all proxies but the canaries
 * @param canaries the proxies that are served the trial: their node ids, and the number of their
 *     connection when the trial began. A node that connects again meanwhile is served the baseline:
 *     it may have died of the trial
 */
public record ServedView(Snapshot baseline, Map<String, Long> canaries, Snapshot trial) {
  static final ServedView EMPTY = new ServedView(Snapshot.empty(), Map.of(), Snapshot.empty());

  public ServedView {
    canaries = Map.copyOf(canaries);
  }

  /** The snapshot that a node is served on a connection. */
  public Snapshot of(String node, long connection) {
    return isCanary(node, connection) ? trial : baseline;
  }

  public boolean isCanary(String node, long connection) {
    Long chosen = canaries.get(node);
    return chosen != null && chosen == connection;
  }

  /** Whether a node was served the trial on an earlier connection. */
  public boolean isFormerCanary(String node, long connection) {
    return canaries.containsKey(node) && !isCanary(node, connection);
  }

  boolean has(ResourceId id) {
    return baseline.get(id) != null || trial.get(id) != null;
  }
}
