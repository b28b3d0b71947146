// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.check;

import dev.holdfast.cli.output.SafeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A check as lines for people, each finding with the place that editors make a link of. */
final class TextFormat {
  private TextFormat() {}

  static List<String> of(CheckReport report) {
    List<String> lines = new ArrayList<>();
    for (Finding finding : report.findings()) {
      String prefix =
          switch (finding.severity()) {
            case ERROR -> "";
            case KNOWN -> "bad before, too: ";
            case WARNING -> "warning: ";
          };
      String owner = finding.object() == null ? "" : finding.object() + ": ";
      lines.add(SafeText.text(finding.position() + ": " + owner + prefix + finding.statement()));
    }
    lines.add(summary(report));
    return lines;
  }

  private static String summary(CheckReport report) {
    StringBuilder text = new StringBuilder();
    long bad = report.bad();
    text.append(report.objects().size())
        .append(report.objects().size() == 1 ? " object" : " objects");
    if (!report.proxies().isEmpty()) {
      text.append(", judged by ").append(String.join(" and ", report.proxies()));
    }
    text.append(": ").append(bad == 0 ? "none is bad" : bad + (bad == 1 ? " is bad" : " are bad"));
    long known = report.count(Finding.Severity.KNOWN);
    if (known > 0) {
      text.append(", ").append(known).append(known == 1 ? " was" : " were").append(" bad before");
    }
    if (!report.isComplete()) {
      text.append("; not all were judged in time (see --timeout)");
    }
    return text.append(String.format(Locale.ROOT, " (%.1f s)", report.took().toMillis() / 1000.0))
        .toString();
  }
}
