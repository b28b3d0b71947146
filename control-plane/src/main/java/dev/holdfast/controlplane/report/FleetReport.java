// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A fleet of proxies that an operator expects.
 *
 * @param name the cluster that the nodes of its proxies name; {@link #ALL} for all proxies
 * @param expected how many there should be
 * @param connected how many there are
 * @param missingSince since when there have been fewer than expected; null if there are enough
 */
public record FleetReport(
    String name, int expected, int connected, @Nullable Instant missingSince) {
  public static final String ALL = "all";
}
