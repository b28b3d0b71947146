// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.log.LimitedLog;
import dev.holdfast.controlplane.log.LogArea;
import dev.holdfast.controlplane.log.LogLine;
import dev.holdfast.controlplane.report.Reports;
import dev.holdfast.server.http.Peer;
import org.jspecify.annotations.Nullable;

/**
 * Tells who changed what, or tried to: one line in the log for each write, and one entry in the
 * history for each that its caller was allowed to make.
 */
final class AuditLog implements AutoCloseable {
  private final Reports reports;

  /** Anybody can have himself refused as often as he likes. */
  private final LimitedLog refusals;

  AuditLog(Reports reports, TimeSource time) {
    this.reports = reports;
    this.refusals = new LimitedLog(time, Runnable::run, LogLine::log);
  }

  /** A write was made, or failed. */
  void done(Caller caller, Peer peer, String what, @Nullable ObjectKey object, String outcome) {
    String line = line(caller.name(), peer, what, outcome);
    LogLine entry = about(LogArea.ADMIN.info("changed"), caller.name(), peer, what);
    (object == null ? entry : entry.object(object)).log(line);
    reports.audited(line, object);
  }

  /** A write was refused. */
  void refused(String caller, Peer peer, String what, String why) {
    refusals.log(
        peer.address(),
        () ->
            about(LogArea.ADMIN.warn("change-refused"), caller, peer, what)
                .text(line(caller, peer, what, "refused: " + why)));
  }

  private static LogLine about(LogLine line, String caller, Peer peer, String what) {
    return line.with("caller", caller).with(LogLine.ADDRESS, peer.address()).with("action", what);
  }

  private static String line(String caller, Peer peer, String what, String outcome) {
    return "audit: " + caller + " from " + peer.address() + ": " + what + ": " + outcome;
  }

  @Override
  public void close() {
    refusals.close();
  }
}
