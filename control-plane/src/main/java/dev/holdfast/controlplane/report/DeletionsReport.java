// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import static java.util.Objects.requireNonNull;

import dev.holdfast.config.ObjectKey;
import java.time.Instant;
import java.util.List;

/**
 * The deletions that wait for a confirmation, because too many hosts would disappear with them.
 *
 * @param set stands for exactly these objects; empty if nothing waits
 * @param hosts the hosts that disappear when they are confirmed
 * @param items by kind, namespace, name
 */
public record DeletionsReport(String set, List<String> hosts, List<Deletion> items) {
  public static final DeletionsReport NONE = new DeletionsReport("", List.of(), List.of());

  public DeletionsReport {
    requireNonNull(set, "set");
    hosts = List.copyOf(hosts);
    items = List.copyOf(items);
  }

  /**
   * An object whose deletion waits.
   *
   * @param generation the one that is still wanted
   * @param place where it was written, if that is known
   * @param since when its source was first seen without it
   */
  public record Deletion(ObjectKey key, long generation, String place, Instant since) {}
}
