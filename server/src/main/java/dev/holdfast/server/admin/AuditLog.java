// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.PeerLog;
import dev.holdfast.controlplane.report.Reports;
import dev.holdfast.server.http.Peer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells who changed what, or tried to: one line in the log for each write, and one entry in the
 * history for each that its caller was allowed to make.
 */
final class AuditLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

  private final Reports reports;

  /** Anybody can have himself refused as often as he likes. */
  private final PeerLog refusals;

  AuditLog(Reports reports, TimeSource time) {
    this.reports = reports;
    this.refusals = new PeerLog(time, Runnable::run, LOG::warn);
  }

  /** A write was made, or failed. */
  void done(Caller caller, Peer peer, String what, @Nullable ObjectKey object, String outcome) {
    String line = line(caller.name(), peer, what, outcome);
    LOG.info("{}", line);
    reports.audited(line, object);
  }

  /** A write was refused. */
  void refused(String caller, Peer peer, String what, String why) {
    refusals.log(peer.address(), () -> line(caller, peer, what, "refused: " + why));
  }

  private static String line(String caller, Peer peer, String what, String outcome) {
    return "audit: " + caller + " from " + peer.address() + ": " + what + ": " + outcome;
  }

  @Override
  public void close() {
    refusals.close();
  }
}
