// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.orca;

import com.github.xds.data.orca.v3.OrcaLoadReport;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * How much of an endpoint is in use, by its own report: the largest of the metrics that are named
 * (gRFC A114), else that of the application, else that of the processor (gRFC A58).
 */
public final class Utilization {
  private static final double UNKNOWN = 0; // what a report has that says nothing of a metric

  private final List<ToDoubleFunction<OrcaLoadReport>> named;

  private Utilization(List<ToDoubleFunction<OrcaLoadReport>> named) {
    this.named = named;
  }

  /**
   * @param names {@code cpu_utilization}, {@code named_metrics.foo} and the like; those that no
   *     report can have are ignored
   */
  public static Utilization of(List<String> names) {
    return new Utilization(
        names.stream()
            .<@Nullable ToDoubleFunction<OrcaLoadReport>>map(Utilization::reader)
            .filter(Objects::nonNull)
            .map(Objects::requireNonNull)
            .toList());
  }

  private static @Nullable ToDoubleFunction<OrcaLoadReport> reader(String name) {
    int dot = name.indexOf('.');
    if (dot >= 0) {
      String key = name.substring(dot + 1);
      return switch (name.substring(0, dot)) {
        case "named_metrics" -> report -> value(report.getNamedMetricsMap(), key);
        case "utilization" -> report -> value(report.getUtilizationMap(), key);
        default -> null;
      };
    }
    return switch (name) {
      case "application_utilization" -> OrcaLoadReport::getApplicationUtilization;
      case "cpu_utilization" -> OrcaLoadReport::getCpuUtilization;
      case "mem_utilization" -> OrcaLoadReport::getMemUtilization;
      default -> null;
    };
  }

  private static double value(Map<String, Double> metrics, String key) {
    Double value = metrics.get(key);
    return value == null ? UNKNOWN : value;
  }

  /** Zero if the report does not tell. */
  public double of(OrcaLoadReport report) {
    double largest = UNKNOWN;
    for (ToDoubleFunction<OrcaLoadReport> metric : named) {
      double value = metric.applyAsDouble(report);
      largest = value > largest ? value : largest; // never NaN
    }
    if (largest > 0) {
      return largest;
    }
    double ofApplication = report.getApplicationUtilization();
    return ofApplication > 0 ? ofApplication : report.getCpuUtilization();
  }
}
