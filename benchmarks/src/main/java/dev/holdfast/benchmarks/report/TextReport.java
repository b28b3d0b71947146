// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** A report as a table. */
public final class TextReport {
  private TextReport() {}

  public static String render(Report report) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(
        List.of(
            "measure", "unit", report.ours(), "", report.peer(), "", "ratio", "aim", "verdict"));
    for (Row row : report.rows()) {
      lines.add(
          List.of(
              row.title(),
              row.unit().text(),
              median(row.ours(), row.unit()),
              spread(row.ours(), row.unit()),
              median(row.peer(), row.unit()),
              spread(row.peer(), row.unit()),
              ratio(row.ratio()),
              aim(row),
              row.verdict().text()));
    }
    StringBuilder out = new StringBuilder();
    report.setting().forEach(line -> out.append(line).append('\n'));
    out.append('\n');
    int[] widths = widths(lines);
    for (List<String> line : lines) {
      append(out, line, widths);
    }
    return out.toString();
  }

  private static String median(@Nullable Samples samples, Unit unit) {
    return samples == null ? "-" : number(samples.median(), unit);
  }

  private static String spread(@Nullable Samples samples, Unit unit) {
    if (samples == null || samples.count() == 1) {
      return "";
    }
    return "["
        + number(samples.quantile(0.25), unit)
        + " .. "
        + number(samples.quantile(0.75), unit)
        + "]";
  }

  private static String number(double value, Unit unit) {
    return String.format(Locale.ROOT, "%,." + unit.decimals() + "f", value);
  }

  private static String ratio(OptionalDouble ratio) {
    if (ratio.isEmpty()) {
      return "-";
    }
    double value = ratio.getAsDouble();
    return String.format(Locale.ROOT, value < 0.1 ? "%.4f" : "%.3f", value);
  }

  /** A ratio stands alone, a value has its unit. */
  private static String aim(Row row) {
    if (row.most() != null) {
      return ("<= " + shortest(row.most()) + " " + row.unit().text()).stripTrailing();
    }
    return row.aim() == null ? "-" : "<= " + shortest(row.aim());
  }

  private static String shortest(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }

  private static int[] widths(List<List<String>> lines) {
    int[] widths = new int[lines.get(0).size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    return widths;
  }

  /** Words to the left, numbers to the right. */
  private static void append(StringBuilder out, List<String> line, int[] widths) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      boolean left = i < 2 || i == widths.length - 1;
      String padding = " ".repeat(widths[i] - line.get(i).length());
      text.append(left ? line.get(i) + padding : padding + line.get(i)).append("  ");
    }
    out.append(text.toString().stripTrailing()).append('\n');
  }
}
