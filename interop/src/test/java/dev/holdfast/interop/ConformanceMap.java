// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The table of {@code docs/conformance.md}: what a client must do, and the tests that show it. */
record ConformanceMap(List<Row> rows) {
  private static final Pattern ROW =
      Pattern.compile("^\\| ([CGEXHL]\\d+) \\|(.*)\\|(.*)\\|$", Pattern.MULTILINE);
  private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");

  /** How the last cell of a row begins that has no test. */
  static final String NOT_APPLICABLE = "Does not apply: ";

  /**
   * One id.
   *
   * @param reason why there is no test; empty if none is given
   */
  record Row(String id, String demand, List<Test> tests, String reason) {}

  /** A test as the document names it. */
  record Test(String className, String method) {
    @Override
    public String toString() {
      return className + "#" + method;
    }
  }

  static ConformanceMap parse(String document) {
    return new ConformanceMap(ROW.matcher(document).results().map(ConformanceMap::row).toList());
  }

  private static Row row(MatchResult line) {
    String cell = line.group(3).strip();
    List<Test> tests =
        TEST.matcher(cell)
            .results()
            .map(match -> new Test(match.group(1), match.group(2)))
            .toList();
    String reason =
        cell.startsWith(NOT_APPLICABLE) ? cell.substring(NOT_APPLICABLE.length()).strip() : "";
    return new Row(line.group(1), line.group(2).strip(), tests, reason);
  }
}
