// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.Condition;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.report.FleetReport;
import dev.holdfast.controlplane.report.ObjectReport;
import dev.holdfast.controlplane.report.ObjectState;
import dev.holdfast.controlplane.report.ProxyCounts;
import dev.holdfast.controlplane.report.Totals;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.server.SampleReports;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The alerts of deploy/monitoring fire when an object is not served as written. */
class AlertRulesTest {
  private static final List<String> REASONS =
      List.of(
          "AttributionPending",
          "Conflict",
          "DependencyRejected",
          "Invalid",
          "InvalidNew",
          "Rejected",
          "RejectedNew");

  /** A control plane with one object; it is held unless its newest generation is served. */
  private static Totals with(String reason, boolean valid, long generation, long served) {
    boolean isTrue = reason.equals("Programmed");
    ObjectReport object =
        new ObjectReport(
            new ObjectKey("HTTPProxy", "shop", "web"),
            generation,
            served,
            List.of(
                SampleReports.condition(
                    "Programmed",
                    isTrue ? Condition.Status.TRUE : Condition.Status.FALSE,
                    reason,
                    "m"),
                SampleReports.condition(
                    "Valid", valid ? Condition.Status.TRUE : Condition.Status.FALSE, "", "m")),
            ProxyCounts.NONE,
            new TreeMap<>(),
            Collections.emptySortedSet(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            "");
    boolean isHeld = REASONS.contains(reason) && served != generation;
    Map<String, Integer> held = new TreeMap<>();
    REASONS.forEach(each -> held.put(each, isHeld && each.equals(reason) ? 1 : 0));
    return totals(List.of(object), held, 0, 0);
  }

  private static Totals totals(
      List<ObjectReport> objects, Map<String, Integer> held, int unable, int sourceProblems) {
    return new Totals(
        Map.of("HTTPProxy", objects.size()),
        Map.of(),
        0,
        3,
        3,
        unable,
        0,
        Map.of(ResourceType.CLUSTER, SampleReports.totals().byType().get(ResourceType.CLUSTER)),
        0,
        held,
        new Totals.Searches(0, 0, Duration.ZERO),
        sourceProblems,
        ObjectState.count(objects),
        0,
        0);
  }

  private static List<String> firing(Totals totals) throws Exception {
    return firing(totals, "current");
  }

  private static List<String> firing(Totals totals, String sourceState) throws Exception {
    return firing(totals, sourceState, List.of());
  }

  private static List<String> firing(Totals totals, String sourceState, List<FleetReport> fleets)
      throws Exception {
    try (RunningAdmin admin = new RunningAdmin()) {
      admin.reports.totals = totals;
      admin.reports.fleets = fleets;
      admin.source =
          new SourceReport(
              "kubernetes",
              "Kubernetes",
              "",
              List.of(new SourceReport.Kind("Secret", "", sourceState, "", Instant.EPOCH, 1)),
              0);
      return AlertRules.read().firing(MetricsTest.parse(admin.get("/metrics").body()));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      textBlock =
          """
          Programmed         | true  | 1 | 1 |
          NotReferenced      | true  | 1 | 0 |
          Rejected           | true  | 2 | 1 | Held
          RejectedNew        | true  | 1 | 0 | Held
          DependencyRejected | true  | 1 | 0 | Held
          Conflict           | false | 1 | 0 | Conflict Held
          Conflict           | false | 2 | 1 | Conflict Held
          Conflict           | false | 1 | 1 | PartlyServed
          Invalid            | false | 2 | 1 | Held Invalid
          InvalidNew         | false | 1 | 0 | Held Invalid
          Invalid            | false | 1 | 1 | PartlyServed
          """)
  void anObjectThatIsNotServedAsWrittenFires(
      String reason, boolean valid, long generation, long served, String alerts) throws Exception {
    assertThat(firing(with(reason, valid, generation, served)))
        .map(alert -> alert.replace("HoldfastObject", ""))
        .isEqualTo(alerts == null ? List.of() : List.of(alerts.split(" ", -1)));
  }

  @Test
  void anInvalidNewObjectThatIsNotHeldFires() throws Exception {
    Totals invalid = with("InvalidNew", /* valid= */ false, 1, 0);
    Map<String, Integer> none = new TreeMap<>();
    REASONS.forEach(reason -> none.put(reason, 0));
    Totals notHeld =
        new Totals(
            invalid.objects(),
            invalid.programmed(),
            1,
            3,
            3,
            0,
            0,
            invalid.byType(),
            0,
            none,
            invalid.searches(),
            0,
            invalid.states(),
            1,
            0);

    assertThat(firing(notHeld)).containsExactly("HoldfastObjectInvalid");
  }

  @Test
  void filesAndProxiesFire() throws Exception {
    Map<String, Integer> none = new TreeMap<>();
    REASONS.forEach(reason -> none.put(reason, 0));

    assertThat(firing(totals(List.of(), none, 1, 1)))
        .containsExactly("HoldfastProxyUnable", "HoldfastSourceProblem");
  }

  @Test
  void aFleetThatIsTooSmallFires() throws Exception {
    Totals totals = with("Programmed", /* valid= */ true, 1, 1);
    FleetReport all = new FleetReport("all", 25, 26, null);

    assertThat(firing(totals, "current", List.of(all, new FleetReport("edge", 20, 20, null))))
        .isEmpty();
    assertThat(
            firing(totals, "current", List.of(all, new FleetReport("edge", 20, 19, Instant.EPOCH))))
        .containsExactly("HoldfastProxiesMissing");
  }

  @Test
  void aClusterThatCannotBeReadFires() throws Exception {
    assertThat(firing(with("Programmed", /* valid= */ true, 1, 1), "stale"))
        .containsExactly("HoldfastSourceStale");
  }

  @Test
  void everyMetricOfTheRulesExists() throws Exception {
    assertThat(AlertRules.read().expressions()).hasSizeGreaterThanOrEqualTo(9);
  }
}
