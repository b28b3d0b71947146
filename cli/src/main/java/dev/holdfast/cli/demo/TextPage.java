// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.demo;

import dev.holdfast.cli.output.Console;
import dev.holdfast.cli.output.Style;
import dev.holdfast.cli.output.Style.Colour;
import dev.holdfast.cli.output.TextWrap;
import java.util.ArrayList;
import java.util.List;

/** Lines of a calm width. */
final class TextPage {
  private static final int WIDEST = 80;
  private static final String MARGIN = "  ";
  private static final String QUOTE = "    ";

  private final Console console;
  private final Style style;
  private final int width;

  TextPage(Console console, Style style, int width) {
    this.console = console;
    this.style = style;
    this.width = Math.min(width, WIDEST);
  }

  /** A piece of a line. */
  record Span(Colour colour, String text) {}

  private String paint(Colour colour, String text) {
    return style.apply(colour, text);
  }

  void blank() {
    console.print("");
  }

  /** A title, with a line to the edge of the page. */
  void title(String title) {
    int rest = Math.max(0, width - TextWrap.width(title) - 1);
    console.print(paint(Colour.HEADING, title) + " " + paint(Colour.FAINT, "─".repeat(rest)));
  }

  /** Text as it comes, broken where it has to be. */
  void paragraph(Colour colour, String text) {
    lines(MARGIN, MARGIN, colour, text);
  }

  /** Text after a label of its own column; further lines begin where the text does. */
  void entry(String label, int column, String text) {
    lines(
        MARGIN + label + " ".repeat(Math.max(1, column - TextWrap.width(label))),
        MARGIN + " ".repeat(column),
        Colour.NONE,
        text);
  }

  /** Text with something before it, and further lines indented as far. */
  private void lines(String first, String others, Colour colour, String text) {
    List<String> printed = new ArrayList<>();
    for (String line : TextWrap.lines(text, width - TextWrap.width(others))) {
      printed.add((printed.isEmpty() ? first : others) + paint(colour, line));
    }
    console.print(printed);
  }

  /**
   * A sign, text, and a number at the edge of the page.
   *
   * @param right empty for none
   */
  void item(Colour colour, String sign, String text, String right) {
    int room = width - QUOTE.length() - (right.isEmpty() ? 0 : TextWrap.width(right) + 2);
    List<String> printed = new ArrayList<>();
    List<String> lines = TextWrap.lines(text, room);
    for (int i = 0; i < lines.size(); i++) {
      String start = i == 0 ? MARGIN + paint(colour, sign) + " " : QUOTE;
      String line = lines.get(i);
      String end =
          i == lines.size() - 1 && !right.isEmpty()
              ? " ".repeat(width - QUOTE.length() - TextWrap.width(line) - TextWrap.width(right))
                  + paint(Colour.FAINT, right)
              : "";
      printed.add(start + line + end);
    }
    console.print(printed);
  }

  /**
   * A short line of several colours, and a number at the edge of the page.
   *
   * @param right empty for none
   */
  void row(String right, Span... spans) {
    StringBuilder line = new StringBuilder(QUOTE);
    int used = QUOTE.length();
    for (Span span : spans) {
      line.append(paint(span.colour(), span.text()));
      used += TextWrap.width(span.text());
    }
    if (!right.isEmpty()) {
      line.append(" ".repeat(Math.max(2, width - used - TextWrap.width(right))))
          .append(paint(Colour.FAINT, right));
    }
    console.print(line.toString().stripTrailing());
  }

  /** What somebody else said. */
  void quote(String text) {
    lines(QUOTE, QUOTE, Colour.FAINT, text);
  }
}
