// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.check;

import dev.holdfast.config.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A check as JUnit XML: a test case for each object. */
final class JunitFormat {
  private JunitFormat() {}

  static String of(CheckReport report) {
    Map<ObjectKey, List<Finding>> byObject = Findings.byObject(report.findings());
    List<Finding> unreadable =
        report.findings().stream().filter(finding -> finding.object() == null).toList();
    List<String> cases = new ArrayList<>();
    for (Finding finding : unreadable) {
      cases.add(testCase(finding.position().source(), "file", List.of(finding)));
    }
    report
        .objects()
        .forEach(
            (key, position) ->
                cases.add(
                    testCase(
                        key.toString(), position.source(), byObject.getOrDefault(key, List.of()))));
    long failures = cases.stream().filter(text -> text.contains("<failure ")).count();
    return String.format(
        Locale.ROOT,
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites>
          <testsuite name="holdfast check" tests="%d" failures="%d" errors="0" time="%.3f">
        %s  </testsuite>
        </testsuites>""",
        cases.size(),
        failures,
        report.took().toMillis() / 1000.0,
        String.join("", cases));
  }

  private static String testCase(String name, String classname, List<Finding> findings) {
    StringBuilder xml = new StringBuilder();
    xml.append("    <testcase name=\"")
        .append(escaped(name))
        .append("\" classname=\"")
        .append(escaped(classname))
        .append('"');
    if (findings.isEmpty()) {
      return xml.append("/>\n").toString();
    }
    xml.append(">\n");
    StringBuilder others = new StringBuilder();
    for (Finding finding : findings) {
      String text = finding.position() + ": " + finding.statement();
      if (finding.severity() == Finding.Severity.ERROR) {
        xml.append("      <failure type=\"")
            .append(escaped(finding.reason()))
            .append("\" message=\"")
            .append(escaped(finding.statement()))
            .append("\">")
            .append(escaped(text))
            .append("</failure>\n");
      } else {
        others.append(finding.severity().word()).append(": ").append(text).append('\n');
      }
    }
    if (!others.isEmpty()) {
      xml.append("      <system-out>").append(escaped(others.toString())).append("</system-out>\n");
    }
    return xml.append("    </testcase>\n").toString();
  }

  /** What XML 1.0 cannot contain at all becomes a question mark. */
  private static String escaped(String text) {
    StringBuilder safe = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '&' -> safe.append("&amp;");
                case '"' -> safe.append("&quot;");
                case '\n' -> safe.append("&#10;");
                case '\t' -> safe.append("&#9;");
                default ->
                    safe.appendCodePoint(
                        c < 0x20 || (c >= 0xd800 && c < 0xe000) || c == 0xfffe || c == 0xffff
                            ? '?'
                            : c);
              }
            });
    return safe.toString();
  }
}
