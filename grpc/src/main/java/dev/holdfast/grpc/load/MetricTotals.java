// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.load;

import com.github.xds.data.orca.v3.OrcaLoadReport;
import dev.holdfast.xds.resources.cluster.ReportedMetrics;
import java.util.Map;
import java.util.TreeMap;

/** What endpoints of one locality said with their answers, summed up by name. Thread-safe. */
final class MetricTotals {
  static final String CPU = "cpu_utilization";
  static final String MEMORY = "mem_utilization";
  static final String APPLICATION = "application_utilization";
  static final String NAMED = "named_metrics.";

  private Map<String, Total> totals = new TreeMap<>();

  /** How many calls came with a value, and the sum of the values. */
  record Total(long calls, double sum) {
    Total plus(Total other) {
      return new Total(calls + other.calls, sum + other.sum);
    }
  }

  synchronized void add(OrcaLoadReport report, ReportedMetrics reported) {
    // Zero is what a report has that says nothing of a field.
    if (reported.cpuUtilization() && report.getCpuUtilization() > 0) {
      add(CPU, report.getCpuUtilization());
    }
    if (reported.memUtilization() && report.getMemUtilization() > 0) {
      add(MEMORY, report.getMemUtilization());
    }
    if (reported.applicationUtilization() && report.getApplicationUtilization() > 0) {
      add(APPLICATION, report.getApplicationUtilization());
    }
    report
        .getNamedMetricsMap()
        .forEach(
            (name, value) -> {
              if (reported.reportsNamed(name)) {
                add(NAMED + name, value);
              }
            });
  }

  private void add(String name, double value) {
    if (Double.isFinite(value)) { // one endpoint's nonsense would be the sum of all
      totals.merge(name, new Total(1, value), Total::plus);
    }
  }

  /** Everything since the last time, by name. */
  synchronized Map<String, Total> take() {
    Map<String, Total> taken = totals;
    totals = new TreeMap<>();
    return taken;
  }

  /** What was taken did not get anywhere. */
  synchronized void giveBack(Map<String, Total> taken) {
    taken.forEach((name, total) -> totals.merge(name, total, Total::plus));
  }

  synchronized boolean isEmpty() {
    return totals.isEmpty();
  }
}
