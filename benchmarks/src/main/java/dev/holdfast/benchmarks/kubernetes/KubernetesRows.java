// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.kubernetes;

import dev.holdfast.benchmarks.report.Row;
import dev.holdfast.benchmarks.report.Samples;
import dev.holdfast.benchmarks.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What was measured with one number of hosts, as lines of the report. */
final class KubernetesRows {
  /** For single edits among this many hosts and more. */
  private static final int HOSTS_WITH_AIM = 10_000;

  private static final double AIM = 0.2;

  private KubernetesRows() {}

  static List<Row> of(int hosts, SideResult ours, SideResult theirs) {
    @Nullable Double aim = hosts >= HOSTS_WITH_AIM ? AIM : null;
    String id = "_" + hosts;
    List<Row> rows = new ArrayList<>();
    rows.add(
        row(
            "start" + id,
            String.format(Locale.ROOT, "%,d HTTPProxies: start until answered", hosts),
            Unit.MILLISECONDS,
            ours,
            theirs,
            r -> r.start));
    rows.add(
        row("again" + id, "  started again", Unit.MILLISECONDS, ours, theirs, r -> r.startAgain));
    rows.add(
        new Row(
            "edit" + id,
            String.format(Locale.ROOT, "  edit until answered, %d of each", ours.edits.size()),
            Unit.MILLISECONDS,
            samples(ours.edits),
            samples(theirs.edits),
            aim));
    rows.add(
        new Row(
            "edit_p99" + id,
            "    99 of 100",
            Unit.MILLISECONDS,
            new Samples(samples(ours.edits).quantile(0.99)),
            new Samples(samples(theirs.edits).quantile(0.99)),
            aim));
    rows.add(
        new Row(
            "stored" + id,
            "    until the API server has it",
            Unit.MILLISECONDS,
            samples(ours.stored),
            samples(theirs.stored),
            null));
    rows.add(
        row(
            "rest_cpu" + id,
            "  at rest: CPU",
            Unit.CPU_MILLISECONDS,
            ours,
            theirs,
            r -> r.restCpu));
    rows.add(row("rest_rss" + id, "    memory", Unit.MEBIBYTES, ours, theirs, r -> r.restMib));
    rows.add(
        row(
            "rest_envoy_rss" + id,
            "    memory of Envoy",
            Unit.MEBIBYTES,
            ours,
            theirs,
            r -> r.restEnvoyMib));
    rows.add(
        row(
            "storm_cpu" + id,
            "  100 edits per second: CPU",
            Unit.CPU_MILLISECONDS,
            ours,
            theirs,
            r -> r.stormCpu));
    rows.add(
        row(
            "storm_envoy_cpu" + id,
            "    CPU of Envoy",
            Unit.CPU_MILLISECONDS,
            ours,
            theirs,
            r -> r.stormEnvoyCpu));
    rows.add(
        row(
            "storm_rss" + id,
            "    most memory",
            Unit.MEBIBYTES,
            ours,
            theirs,
            r -> r.stormMostMib));
    rows.add(
        row(
            "storm_last" + id,
            "    last edit until answered",
            Unit.MILLISECONDS,
            ours,
            theirs,
            r -> r.stormLast));
    rows.add(
        row(
            "storm_rate" + id,
            "    edits per second that were stored",
            Unit.COUNT,
            ours,
            theirs,
            r -> r.stormEditsPerSecond));
    return rows;
  }

  private static Row row(
      String id,
      String title,
      Unit unit,
      SideResult ours,
      SideResult theirs,
      ToDoubleFunction<SideResult> aspect) {
    return new Row(
        id,
        title,
        unit,
        new Samples(aspect.applyAsDouble(ours)),
        new Samples(aspect.applyAsDouble(theirs)),
        null);
  }

  private static Samples samples(List<Double> values) {
    return new Samples(values.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
