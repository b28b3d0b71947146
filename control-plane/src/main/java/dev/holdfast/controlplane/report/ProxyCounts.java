// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

/**
 * How many proxies run, have not answered, or rejected an object. The rest was not shown it, such
 * as one that is not valid.
 *
 * @param total the connected proxies that the object concerns
 * @param programmed those that run the newest generation
 * @param pending those that have not answered yet
 * @param rejected those that rejected it
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
