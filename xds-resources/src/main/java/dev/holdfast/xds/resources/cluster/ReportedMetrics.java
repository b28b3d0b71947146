// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.cluster;

import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which of the metrics that endpoints send with their answers are passed on in load reports (gRFC
 * A85).
 *
 * @param allNamed whether all of {@code named_metrics} are
 * @param named those of {@code named_metrics} that are; empty if all are
 */
public record ReportedMetrics(
    boolean cpuUtilization,
    boolean memUtilization,
    boolean applicationUtilization,
    boolean allNamed,
    SortedSet<String> named) {

  /** What is reported unless a cluster asks for more. */
  public static final ReportedMetrics NONE =
      new ReportedMetrics(false, false, false, false, new TreeSet<>());

  private static final String NAMED = "named_metrics.";
  private static final String ALL_NAMED = NAMED + "*";

  public ReportedMetrics {
    named = Collections.unmodifiableSortedSet(allNamed ? new TreeSet<>() : new TreeSet<>(named));
  }

  /** Reads {@code lrs_report_endpoint_metrics}; names that nobody here knows are ignored. */
  static ReportedMetrics of(List<String> names) {
    if (names.isEmpty()) {
      return NONE;
    }
    SortedSet<String> named = new TreeSet<>();
    for (String name : names) {
      if (name.startsWith(NAMED) && name.length() > NAMED.length()) {
        named.add(name.substring(NAMED.length()));
      }
    }
    return new ReportedMetrics(
        names.contains("cpu_utilization"),
        names.contains("mem_utilization"),
        names.contains("application_utilization"),
        names.contains(ALL_NAMED),
        named);
  }

  /** Whether there is any. */
  public boolean any() {
    return cpuUtilization
        || memUtilization
        || applicationUtilization
        || allNamed
        || !named.isEmpty();
  }

  /** Whether that one of {@code named_metrics} is reported. */
  public boolean reportsNamed(String name) {
    return allNamed || named.contains(name);
  }
}
