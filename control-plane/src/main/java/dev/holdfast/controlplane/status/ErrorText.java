// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import java.util.regex.Pattern;

/**
 * Makes a proxy's error message safe to show to an author. Envoy puts whole resources into some of
 * its messages, with the reason at the end: they contain the configuration of other authors, and
 * keys.
 */
public final class ErrorText {
  private static final int MAX_LENGTH = 512;
  private static final int DELETE = 0x7f;
  private static final String CONSTRAINT = "Proto constraint validation failed (";
  private static final Pattern PEM =
      Pattern.compile("-----BEGIN [^-]*-----.*?(-----END [^-]*-----|$)", Pattern.DOTALL);

  /** The fields of a protobuf text dump that hold bytes of certificates and keys. */
  private static final Pattern INLINE =
      Pattern.compile(
          "(inline_(?:bytes|string)|private_key|password)\\s*(?::|\\{)\\s*\"(?:[^\"\\\\]++|\\\\.)*+\"?");

  private ErrorText() {}

  /** The reason alone: without dumped resources, keys and control characters, and shortened. */
  public static String sanitise(String message) {
    String text = message;
    int constraint = text.lastIndexOf(CONSTRAINT);
    if (constraint >= 0) {
      text = text.substring(constraint);
    } else {
      int dump = dumpStart(text);
      text = dump < 0 ? text : text.substring(0, dump) + "...";
    }
    text = PEM.matcher(text).replaceAll("[certificate or key]");
    text = INLINE.matcher(text).replaceAll("$1: [removed]");
    text = shown(text.trim());
    return text.isEmpty() ? "no reason given" : text;
  }

  /** The beginning of a text, with single blanks, and without control characters. */
  private static String shown(String text) {
    StringBuilder shown = new StringBuilder();
    boolean blank = false;
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      boolean wasBlank = blank;
      blank = c == ' ' || (c >= '\t' && c <= '\r');
      if (blank && wasBlank) {
        continue;
      }
      int next = blank ? ' ' : isControl(c) ? '?' : c;
      if (shown.length() + Character.charCount(next) > MAX_LENGTH) {
        return shown.append("...").toString();
      }
      shown.appendCodePoint(next);
    }
    return shown.toString();
  }

  private static boolean isControl(int c) {
    return c < ' ' || c == DELETE || Character.getType(c) == Character.FORMAT;
  }

  /**
   * Where the dump of a message begins, recognised by a name, a brace and the end of the line; -1
   * if there is none.
   */
  private static int dumpStart(String text) {
    int brace = text.indexOf("{\n");
    if (brace < 0) {
      return -1;
    }
    int start = brace;
    while (start > 0 && text.charAt(start - 1) != '\n' && text.charAt(start - 1) != ':') {
      start--;
    }
    return start;
  }
}
