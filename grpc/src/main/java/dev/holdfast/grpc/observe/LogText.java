// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.observe;

/**
 * Text from elsewhere made fit for a log: names and error texts come from servers and authors, who
 * must not be able to forge lines or to fill disks.
 */
final class LogText {
  private static final int LONGEST = 2_000;

  private LogText() {}

  static String oneLine(String text) {
    int end = Math.min(text.length(), LONGEST);
    StringBuilder line = new StringBuilder(end + 32);
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      if (c == '\n') {
        line.append("\\n");
      } else if (c == '\t') {
        line.append("\\t");
      } else if (isUnsafe(c)) {
        line.append("\\u%04x".formatted((int) c));
      } else {
        line.append(c);
      }
    }
    if (end < text.length()) {
      line.append("... (").append(text.length() - end).append(" more)");
    }
    return line.toString();
  }

  /** Control characters, and those that reorder or break the line they stand in. */
  private static boolean isUnsafe(char c) {
    int type = Character.getType(c);
    return type == Character.CONTROL
        || type == Character.FORMAT
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR;
  }
}
