// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.output;

/**
 * Text that others wrote (names, versions, errors) made harmless for a terminal and for the eye:
 * one line, no control sequences, no invisible characters that change the direction of what
 * follows.
 */
public final class SafeText {
  private SafeText() {}

  /** The text with everything that is not to be shown as it is written out, {@code \n} or so. */
  public static String text(String text) {
    if (text.codePoints().noneMatch(SafeText::isHidden)) {
      return text;
    }
    StringBuilder plain = new StringBuilder(text.length() + 16);
    text.codePoints().forEach(c -> append(plain, c));
    return plain.toString();
  }

  private static void append(StringBuilder plain, int c) {
    if (!isHidden(c)) {
      plain.appendCodePoint(c);
      return;
    }
    switch (c) {
      case '\n' -> plain.append("\\n");
      case '\r' -> plain.append("\\r");
      case '\t' -> plain.append("\\t");
      default -> plain.append(String.format(c > 0xffff ? "\\u{%x}" : "\\u%04x", c));
    }
  }

  private static boolean isHidden(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
