// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import static dev.holdfast.grpc.balance.policy.EndpointWeight.Standing.NOT_YET_USABLE;
import static dev.holdfast.grpc.balance.policy.EndpointWeight.Standing.STALE;
import static dev.holdfast.grpc.balance.policy.EndpointWeight.Standing.USABLE;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.xds.data.orca.v3.OrcaLoadReport;
import dev.holdfast.xds.resources.cluster.LbPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndpointWeightTest {
  private static final long SECOND = 1_000_000_000;
  private static final OrcaLoadReport HALF =
      OrcaLoadReport.newBuilder().setRpsFractional(100).setCpuUtilization(0.5).build();

  private final EndpointWeight weight = new EndpointWeight();

  private static WeightedRoundRobinConfig config(
      int blackoutSeconds, float penalty, String... metrics) {
    return new WeightedRoundRobinConfig(
        new LbPolicy.ClientSideWeightedRoundRobin(
            false,
            Duration.ofSeconds(10),
            Duration.ofSeconds(blackoutSeconds),
            Duration.ofSeconds(180),
            Duration.ofSeconds(1),
            penalty,
            List.of(metrics)));
  }

  private void isAt(long seconds, EndpointWeight.Standing standing, double expected) {
    assertThat(weight.read(config(10, 1), seconds * SECOND))
        .as("at %d s", seconds)
        .isEqualTo(new EndpointWeight.Reading(standing, expected));
  }

  @ParameterizedTest
  @CsvSource({
    // qps, eps, cpu, application, weight with a penalty of 1
    "100, 0, 0.5, 0, 200",
    "100, 0, 0.5, 0.25, 400",
    "100, 0, 0, 2, 50",
    "100, 50, 0.5, 0, 100",
    "100, -1, 0.5, 0, 200",
    "0, 0, 0.5, 0, 0",
    "-5, 0, 0.5, 0, 0",
    "100, 0, 0, 0, 0",
    "NaN, 0, 0.5, 0, 0",
    "100, 0, NaN, 0, 0",
    "Infinity, 0, 0.5, 0, 0",
    "100, Infinity, 0.5, 0, 0"
  })
  void l22WeightIsWhatAnEndpointAnswersForWhatItUses(
      double qps, double eps, double cpu, double application, double expected) {
    weight.report(
        OrcaLoadReport.newBuilder()
            .setRpsFractional(qps)
            .setEps(eps)
            .setCpuUtilization(cpu)
            .setApplicationUtilization(application)
            .build(),
        config(0, 1),
        0);
    assertThat(weight.read(config(0, 1), 0).weight()).isEqualTo(expected);
  }

  @Test
  void l22ErrorsDoNotCountWithoutAPenalty() {
    weight.report(HALF.toBuilder().setEps(50).build(), config(0, 0), 0);
    assertThat(weight.read(config(0, 0), 0).weight()).isEqualTo(200);
  }

  @Test
  void l23WeightCountsWhenReportsHaveComeForTheBlackoutPeriod() {
    isAt(0, NOT_YET_USABLE, 0);
    weight.report(HALF, config(10, 1), 0);
    isAt(9, NOT_YET_USABLE, 0);
    isAt(10, USABLE, 200);
  }

  @Test
  void l23NewConnectionBeginsTheBlackoutAnew() {
    weight.report(HALF, config(10, 1), 0);
    isAt(20, USABLE, 200);
    weight.connected();
    isAt(21, NOT_YET_USABLE, 0);
    weight.report(HALF, config(10, 1), 25 * SECOND);
    isAt(34, NOT_YET_USABLE, 0);
    isAt(35, USABLE, 200);
  }

  @Test
  void l24WeightNoLongerCountsLongAfterTheLastReport() {
    weight.report(HALF, config(10, 1), 0);
    isAt(179, USABLE, 200);
    isAt(180, STALE, 0);
    weight.report(HALF, config(10, 1), 200 * SECOND);
    isAt(209, NOT_YET_USABLE, 0);
    isAt(210, USABLE, 200);
  }

  @Test
  void emptyReportsChangeNothing() {
    weight.report(HALF, config(10, 1), 0);
    weight.report(OrcaLoadReport.getDefaultInstance(), config(10, 1), 170 * SECOND);
    isAt(179, USABLE, 200);
    isAt(180, STALE, 0);
  }

  @Test
  void l25UtilizationCanBeThatOfAnyMetric() {
    OrcaLoadReport report =
        HALF.toBuilder()
            .setMemUtilization(0.8)
            .setApplicationUtilization(0.1)
            .putNamedMetrics("a.b", 0.4)
            .putUtilization("gpu", 1.0)
            .putNamedMetrics("bad", Double.NaN)
            .build();
    assertThat(of(report, "named_metrics.a.b")).isEqualTo(250);
    assertThat(of(report, "mem_utilization", "cpu_utilization")).as("the largest").isEqualTo(125);
    assertThat(of(report, "utilization.gpu", "named_metrics.bad")).isEqualTo(100);
    assertThat(of(report, "named_metrics.none", "nonsense", "request_cost.x"))
        .as("else that of the application")
        .isEqualTo(1000);
  }

  private static double of(OrcaLoadReport report, String... metrics) {
    EndpointWeight one = new EndpointWeight();
    one.report(report, config(0, 1, metrics), 0);
    return one.read(config(0, 1, metrics), 0).weight();
  }
}
