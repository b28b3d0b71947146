// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.report.HoldReport;
import dev.holdfast.controlplane.report.IncidentReport;
import dev.holdfast.controlplane.rollout.RolloutManager;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.search.Incident;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.status.HoldText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Builds the reports about holds and incidents. Loop only. */
final class RolloutReports {
  private RolloutReports() {}

  /**
   * All holds in the order of their objects: those of the common rollout first, then those of each
   * separate class.
   */
  static List<HoldReport> holds(RolloutManager rollouts) {
    List<HoldReport> reports = new ArrayList<>();
    add(reports, rollouts.common(), "");
    rollouts.separate().forEach((proxyClass, rollout) -> add(reports, rollout, proxyClass));
    return reports;
  }

  private static void add(List<HoldReport> reports, Rollout rollout, String heldFor) {
    for (Hold hold : rollout.holds()) {
      reports.add(report(HoldText.told(hold, rollout), heldFor));
    }
  }

  /** Newest first. */
  static List<IncidentReport> incidents(RolloutManager rollouts) {
    return rollouts.incidents().stream().map(RolloutReports::report).toList();
  }

  /**
   * The number of objects held for each reason, in any rollout; reasons without a held object are
   * included as 0.
   */
  static Map<String, Integer> held(RolloutManager rollouts) {
    Map<String, Integer> held = new TreeMap<>();
    HoldText.REASONS.forEach(reason -> held.put(reason, 0));
    Set<ObjectKey> seen = new HashSet<>();
    List<Rollout> all = new ArrayList<>(List.of(rollouts.common()));
    all.addAll(rollouts.separate().values());
    for (Rollout rollout : all) {
      for (Hold hold : rollout.holds()) {
        if (seen.add(hold.key())) {
          held.merge(HoldText.reason(HoldText.told(hold, rollout)), 1, Integer::sum);
        }
      }
    }
    return held;
  }

  private static HoldReport report(Hold hold, String heldFor) {
    Evidence evidence = hold.evidence();
    return new HoldReport(
        hold.key(),
        hold.generation(),
        hold.served(),
        HoldText.reason(hold),
        heldFor,
        evidence == null ? "" : evidence.proxyClass(),
        evidence == null ? null : evidence.resource(),
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
        incident.changes(),
        incident.pushes(),
        incident.pushed().stream().map(RolloutReports::report).toList(),
        incident.steps(),
        incident.offenders().stream().map(RolloutReports::report).toList(),
        incident.took());
  }

  private static IncidentReport.Push report(Incident.Push push) {
    return new IncidentReport.Push(
        push.after(),
        push.changes(),
        push.canaries(),
        push.answer().name().toLowerCase(Locale.ROOT));
  }

  private static IncidentReport.OffendingObject report(Incident.Offender offending) {
    Evidence evidence = offending.evidence();
    return new IncidentReport.OffendingObject(
        offending.object(),
        offending.generation(),
        evidence.proxyClass(),
        evidence.agent(),
        evidence.resource(),
        evidence.digest(),
        evidence.message());
  }
}
