// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import dev.holdfast.controlplane.report.HoldReport;
import dev.holdfast.controlplane.report.IncidentReport;
import dev.holdfast.controlplane.rollout.Certificate;
import dev.holdfast.controlplane.rollout.Hold;
import dev.holdfast.controlplane.rollout.Incident;
import dev.holdfast.controlplane.rollout.Rollout;
import dev.holdfast.controlplane.status.HoldText;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What is told of a rollout. Loop only. */
final class RolloutReports {
  private RolloutReports() {}

  /** In the order of the objects. */
  static List<HoldReport> holds(Rollout rollout) {
    return rollout.holds().stream().map(RolloutReports::report).toList();
  }

  /** Newest first. */
  static List<IncidentReport> incidents(Rollout rollout) {
    return rollout.incidents().stream().map(RolloutReports::report).toList();
  }

  /** How many are held for each reason; also for those that there is none for. */
  static Map<String, Integer> held(Rollout rollout) {
    Map<String, Integer> held = new TreeMap<>();
    HoldText.REASONS.forEach(reason -> held.put(reason, 0));
    rollout.holds().forEach(hold -> held.merge(HoldText.reason(hold), 1, Integer::sum));
    return held;
  }

  private static HoldReport report(Hold hold) {
    Certificate certificate = hold.certificate();
    return new HoldReport(
        hold.key(),
        hold.generation(),
        hold.served(),
        HoldText.reason(hold),
        certificate == null ? "" : certificate.proxyClass(),
        certificate == null ? null : certificate.resource(),
        HoldText.message(hold),
        hold.cause(),
        hold.since());
  }

  private static IncidentReport report(Incident incident) {
    return new IncidentReport(
        incident.id(),
        incident.at(),
        incident.proxyClass(),
        incident.resource(),
        incident.message(),
        incident.units(),
        incident.pushes(),
        incident.steps(),
        incident.culprits(),
        incident.took());
  }
}
