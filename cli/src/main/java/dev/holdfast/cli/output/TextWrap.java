// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.output;

import java.util.ArrayList;
import java.util.List;

/** Breaks and cuts text to a width, which is counted in code points. */
public final class TextWrap {
  private static final String ELLIPSIS = "…";

  private TextWrap() {}

  public static int width(String text) {
    return text.codePointCount(0, text.length());
  }

  /** The text in lines of at most {@code width}, at spaces where there are any; at least one. */
  public static List<String> lines(String text, int width) {
    List<String> lines = new ArrayList<>();
    String rest = text;
    while (width(rest) > width) {
      int end = rest.offsetByCodePoints(0, width);
      int space = rest.lastIndexOf(' ', end);
      int cut = space > 0 ? space : end;
      lines.add(rest.substring(0, cut).stripTrailing());
      rest = rest.substring(cut).stripLeading();
    }
    lines.add(rest);
    return lines;
  }

  /** The beginning of the text, with a sign that there is more. */
  public static String cut(String text, int width) {
    return width(text) <= width
        ? text
        : text.substring(0, text.offsetByCodePoints(0, width - 1)) + ELLIPSIS;
  }
}
