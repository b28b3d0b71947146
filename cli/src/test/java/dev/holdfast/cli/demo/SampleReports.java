// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.demo;

import dev.holdfast.demo.controlplane.Incident;
import dev.holdfast.demo.controlplane.ObjectState;
import dev.holdfast.demo.report.CheckResult;
import dev.holdfast.demo.report.DemoSetup;
import dev.holdfast.demo.report.DemoSummary;
import dev.holdfast.demo.report.Narrator;
import dev.holdfast.demo.report.StepHeading;
import dev.holdfast.demo.report.StepReport;
import dev.holdfast.demo.traffic.CallCounts;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A demo of one step, made up. */
final class SampleReports {
  static final DemoSetup SETTING =
      new DemoSetup(4711, 20001, "http://127.0.0.1:20002", "/tmp/demo/objects", "1.39.0");

  private static final StepHeading HEADING =
      StepHeading.of(
          "step",
          "A step",
          "Something happens that takes more than one line to tell, so that"
              + " the text has to be broken somewhere.");
  private static final List<CheckResult> HELD =
      List.of(
          new CheckResult("it is so", true, Duration.ofMillis(38)),
          new CheckResult("it always was", true, Duration.ZERO));
  private static final ObjectState OBJECT =
      new ObjectState(
          "ExtensionPolicy",
          "payments",
          2,
          1,
          "False",
          "Rejected",
          "generation 2 rejected by envoy 1.39.0: \u001b[31mno\u001b[0m; serving generation 1",
          0,
          2);
  private static final Incident INCIDENT =
      new Incident(
          "envoy 1.39.0",
          "RouteConfiguration ingress_http",
          "no",
          List.of(new Incident.Trial(0, 10, "refused"), new Incident.Trial(1_234, 1, "accepted")),
          List.of("ExtensionPolicy/payments"),
          1_250);

  private SampleReports() {}

  static Map<String, CallCounts> traffic(long failed) {
    Map<String, CallCounts> traffic = new LinkedHashMap<>();
    traffic.put("gRPC client", new CallCounts(12_345, 0));
    traffic.put("through Envoy", new CallCounts(678, failed));
    return traffic;
  }

  static DemoSummary held() {
    return new DemoSummary(
        SETTING,
        List.of(new StepReport(HEADING, HELD, traffic(0), Duration.ofMillis(1_250))),
        1,
        List.of(),
        Duration.ofSeconds(31));
  }

  static DemoSummary unheld() {
    CheckResult claim = new CheckResult("no call failed", false, Duration.ZERO);
    return new DemoSummary(
        SETTING,
        List.of(new StepReport(HEADING, List.of(claim), traffic(1), Duration.ofMillis(1_250))),
        8,
        List.of("through Envoy: the first call that failed: \u001b[31mno"),
        Duration.ofSeconds(31));
  }

  /** Tells all of it. */
  static void to(Narrator narrator, DemoSummary summary) {
    narrator.starts("everything");
    narrator.opens(SETTING);
    narrator.begins(1, HEADING);
    narrator.quotes("envoy", "no");
    narrator.shows(OBJECT);
    narrator.searched(INCIDENT);
    summary.steps().get(0).claims().forEach(narrator::claimed);
    narrator.ends(summary.steps().get(0));
    narrator.closes(summary);
    narrator.stays(SETTING);
  }
}
