// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import com.github.xds.data.orca.v3.OrcaLoadReport;

/**
 * The weight of one endpoint, by what it reports (gRFC A58): how many calls it answers for the part
 * of it that is in use. It counts once reports have come for some time, and no longer than some
 * time after the last one. Thread-safe.
 */
final class EndpointWeight {
  private double weight;
  private long updatedAt;
  private boolean updated;
  private long reportsSince;
  private boolean reports;

  /** What a weight is worth at some moment. */
  enum Standing {
    USABLE,
    NOT_YET_USABLE,
    STALE
  }

  /** The weight; zero unless it is usable. */
  record Reading(Standing standing, double weight) {}

  /** The endpoint said how it is. */
  void report(OrcaLoadReport report, WeightedRoundRobinConfig config, long now) {
    double utilization = config.utilization().of(report);
    double qps = report.getRpsFractional();
    if (!(utilization > 0) || !(qps > 0)) {
      return;
    }
    double errors = report.getEps() > 0 ? report.getEps() / qps : 0;
    double next = qps / (utilization + errors * config.errorUtilizationPenalty());
    if (!(next > 0) || Double.isInfinite(next)) {
      return;
    }
    synchronized (this) {
      weight = next;
      updatedAt = now;
      updated = true;
      if (!reports) {
        reports = true;
        reportsSince = now;
      }
    }
  }

  /** There is a new connection, perhaps to somebody new. */
  synchronized void connected() {
    reports = false;
  }

  synchronized Reading read(WeightedRoundRobinConfig config, long now) {
    if (!updated) {
      return new Reading(Standing.NOT_YET_USABLE, 0);
    }
    if (now - updatedAt >= config.expirationNanos()) {
      reports = false;
      return new Reading(Standing.STALE, 0);
    }
    long blackout = config.blackoutNanos();
    if (blackout > 0 && (!reports || now - reportsSince < blackout)) {
      return new Reading(Standing.NOT_YET_USABLE, 0);
    }
    return new Reading(Standing.USABLE, weight);
  }
}
