// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

/**
 * How many proxies that an object concerns have said what of it.
 *
 * @param total the connected proxies that the object concerns
 * @param programmed those that run what the object says now
 * @param pending those that have not answered yet
 * @param rejected those that refused it
 */
public record ProxyCounts(int total, int programmed, int pending, int rejected) {
  public static final ProxyCounts NONE = new ProxyCounts(0, 0, 0, 0);

  public ProxyCounts plus(ProxyCounts other) {
    return new ProxyCounts(
        total + other.total,
        programmed + other.programmed,
        pending + other.pending,
        rejected + other.rejected);
  }
}
