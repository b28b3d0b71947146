// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

/**
 * How many instructions RE2 makes of a regular expression, roughly: one for each character or
 * class, times how often it may be repeated.
 */
final class RegexSize {
  private static final int MOST = 1_000_000;

  private final String regex;
  private int at;

  private RegexSize(String regex) {
    this.regex = regex;
  }

  static int of(String regex) {
    return new RegexSize(regex).alternatives() + 2; // matched, failed
  }

  private int alternatives() {
    int size = 0;
    while (at < regex.length() && regex.charAt(at) != ')') {
      if (regex.charAt(at) == '|') {
        at++;
        size++;
      } else {
        size = Math.min(MOST, size + repeated(atom()));
      }
    }
    return size;
  }

  private int atom() {
    char c = regex.charAt(at++);
    switch (c) {
      case '(' -> {
        int size = alternatives() + 2; // beginning and end of the group
        at++;
        return size;
      }
      case '[' -> {
        int end = at;
        if (regex.startsWith("^]", at) || regex.startsWith("]", at)) {
          end += 2; // a bracket in first place is itself
        }
        while (end < regex.length() && regex.charAt(end) != ']') {
          end += regex.charAt(end) == '\\' ? 2 : 1;
        }
        at = end + 1;
        return 1;
      }
      case '\\' -> at++;
      default -> {}
    }
    return 1;
  }

  private int repeated(int size) {
    if (at >= regex.length()) {
      return size;
    }
    char c = regex.charAt(at);
    if (c == '*' || c == '+' || c == '?') {
      at++;
      return size + 1;
    }
    int end = regex.indexOf('}', at);
    if (c != '{' || end < 0) {
      return size;
    }
    String[] bounds = regex.substring(at + 1, end).split(",", -1);
    String most = bounds[bounds.length - 1].isEmpty() ? bounds[0] : bounds[bounds.length - 1];
    if (!most.matches("[0-9]{1,5}")) {
      return size;
    }
    at = end + 1;
    return Math.min(MOST, size * Math.max(1, Integer.parseInt(most)));
  }
}
