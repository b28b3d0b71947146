// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.docs;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a page says that a command prints, against what it printed: the lines of the page are there,
 * in their order; others may be between them. Three dots stand for anything, the widths of columns
 * and how long something took do not matter.
 */
final class Output {
  private static final Pattern LOOSE =
      Pattern.compile("(?<dots>\\.\\.\\.|…)|(?<space>\\s+)|(?<time>\\b[0-9.]+(?:ms|s|m|h)\\b)");

  private Output() {}

  /** The first line of the page that is not there; empty if all are. */
  static String missing(List<String> expected, List<String> actual) {
    int at = 0;
    for (String line : expected) {
      if (line.isBlank()) {
        continue;
      }
      Pattern pattern = pattern(line);
      while (at < actual.size() && !pattern.matcher(actual.get(at).strip()).matches()) {
        at++;
      }
      if (at++ == actual.size()) {
        return line;
      }
    }
    return "";
  }

  private static Pattern pattern(String line) {
    StringBuilder regex = new StringBuilder();
    Matcher loose = LOOSE.matcher(line.strip());
    int end = 0;
    while (loose.find()) {
      regex.append(Pattern.quote(line.strip().substring(end, loose.start())));
      regex.append(
          loose.group("dots") != null
              ? ".*"
              : loose.group("space") != null ? "\\s+" : "(?:[0-9.]+(?:ms|s|m|h))+");
      end = loose.end();
    }
    return Pattern.compile(regex.append(Pattern.quote(line.strip().substring(end))).toString());
  }
}
