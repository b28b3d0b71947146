// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.demo;

import dev.holdfast.cli.output.Console;
import dev.holdfast.cli.output.Style;
import dev.holdfast.cli.output.Style.Colour;
import dev.holdfast.cli.output.Wrap;
import java.util.ArrayList;
import java.util.List;

/** Lines of a calm width. */
final class Page {
  private static final int WIDEST = 80;
  private static final String MARGIN = "  ";
  private static final String QUOTE = "    ";

  private final Console console;
  private final Style style;
  private final int width;

  Page(Console console, Style style, int width) {
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
    int rest = Math.max(0, width - Wrap.width(title) - 1);
    console.print(paint(Colour.HEADING, title) + " " + paint(Colour.FAINT, "─".repeat(rest)));
  }

  /** Text as it comes, broken where it has to be. */
  void paragraph(Colour colour, String text) {
    lines(MARGIN, MARGIN, colour, text);
  }

  /** Text after a label of its own column; further lines begin where the text does. */
  void entry(String label, int column, String text) {
    lines(
        MARGIN + label + " ".repeat(Math.max(1, column - Wrap.width(label))),
        MARGIN + " ".repeat(column),
        Colour.NONE,
        text);
  }

  /** Text with something before it, and further lines indented as far. */
  private void lines(String first, String others, Colour colour, String text) {
    List<String> printed = new ArrayList<>();
    for (String line : Wrap.lines(text, width - Wrap.width(others))) {
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
    int room = width - QUOTE.length() - (right.isEmpty() ? 0 : Wrap.width(right) + 2);
    List<String> printed = new ArrayList<>();
    List<String> lines = Wrap.lines(text, room);
    for (int i = 0; i < lines.size(); i++) {
      String start = i == 0 ? MARGIN + paint(colour, sign) + " " : QUOTE;
      String line = lines.get(i);
      String end =
          i == lines.size() - 1 && !right.isEmpty()
              ? " ".repeat(width - QUOTE.length() - Wrap.width(line) - Wrap.width(right))
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
      used += Wrap.width(span.text());
    }
    if (!right.isEmpty()) {
      line.append(" ".repeat(Math.max(2, width - used - Wrap.width(right))))
          .append(paint(Colour.FAINT, right));
    }
    console.print(line.toString().stripTrailing());
  }

  /** What somebody else said. */
  void quote(String text) {
    lines(QUOTE, QUOTE, Colour.FAINT, text);
  }
}
