// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.resources.testing.Outcomes;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class LoadReportingTest {

  private static ReportedMetrics metrics(String fields) {
    Cluster cluster = Outcomes.value(Clusters.eds("lrs_server { self {} } " + fields));
    return Objects.requireNonNull(cluster.loadReporting()).metrics();
  }

  @Test
  void noMetricsAreReportedUnlessTheClusterNamesThem() {
    assertThat(metrics("").any()).isFalse();
  }

  @Test
  void metricsOfTheReportItselfAreNamedByTheirField() {
    assertThat(
            metrics(
                "lrs_report_endpoint_metrics: ['cpu_utilization', 'mem_utilization',"
                    + " 'application_utilization']"))
        .isEqualTo(new ReportedMetrics(true, true, true, false, new TreeSet<>()));
  }

  @Test
  void namedMetricsAreNamedOneByOneOrAllTogether() {
    ReportedMetrics some =
        metrics("lrs_report_endpoint_metrics: ['named_metrics.a', 'named_metrics.b.c']");
    assertThat(some.reportsNamed("a")).isTrue();
    assertThat(some.reportsNamed("b.c")).isTrue();
    assertThat(some.reportsNamed("b")).isFalse();

    ReportedMetrics all =
        metrics("lrs_report_endpoint_metrics: ['named_metrics.a', 'named_metrics.*']");
    assertThat(all.reportsNamed("anything")).isTrue();
    assertThat(all).isEqualTo(metrics("lrs_report_endpoint_metrics: 'named_metrics.*'"));
  }

  @Test
  void unknownNamesAreIgnored() {
    assertThat(
            metrics(
                    "lrs_report_endpoint_metrics: ['request_cost.x', 'named_metrics',"
                        + " 'named_metrics.', 'cpu']")
                .any())
        .isFalse();
  }

  @Test
  void theServerThatSentAClusterGetsItsReports() {
    Cluster reporting = Outcomes.value(Clusters.eds("lrs_server { self {} }"));
    assertThat(Objects.requireNonNull(reporting.sentBy("xds-1").loadReporting()).server())
        .isEqualTo("xds-1");
    Cluster other = Outcomes.value(Clusters.eds(""));
    assertThat(other.sentBy("xds-1")).isSameAs(other);
  }
}
