// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ledger;

import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.log.LogArea;
import dev.holdfast.controlplane.report.InternalErrorReport;
import java.time.Duration;

/**
 * Counts and logs the errors of the control plane itself. An error that happens again and again is
 * logged once a second at most. Errors are added on the loop; any thread may ask for the report.
 */
public final class InternalErrors {
  private static final Duration LOG_EVERY = Duration.ofSeconds(1);

  private final TimeSource time;
  private volatile InternalErrorReport report = InternalErrorReport.NONE;
  private long lastLogged;
  private long omitted;

  public InternalErrors(TimeSource time) {
    this.time = time;
    this.lastLogged = time.nanoTime() - LOG_EVERY.toNanos();
  }

  /**
   * Something went wrong that never should.
   *
   * @param what was being done
   */
  public void add(String what, Throwable error) {
    report =
        new InternalErrorReport(
            report.count() + 1, time.now(), what + ": " + error.getClass().getName());
    long now = time.nanoTime();
    if (now - lastLogged < LOG_EVERY.toNanos()) {
      omitted++;
      return;
    }
    lastLogged = now;
    LogArea.ROLLOUT
        .error("internal-error")
        .cause(error)
        .log(
            "internal error while "
                + what
                + " ("
                + omitted
                + " more were not logged); everything else goes on");
    omitted = 0;
  }

  public InternalErrorReport report() {
    return report;
  }
}
