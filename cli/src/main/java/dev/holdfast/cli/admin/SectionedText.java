// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import dev.holdfast.cli.output.SafeText;
import dev.holdfast.cli.output.Style;
import dev.holdfast.cli.output.Style.Colour;
import dev.holdfast.cli.output.Table;
import dev.holdfast.cli.output.TextWrap;
import java.util.ArrayList;
import java.util.List;

/** Something for people, part by part; parts that are empty are left out. */
final class SectionedText {
  private static final String INDENT = "  ";
  private static final int LONGEST_NAME = 12;

  private final int width;
  private final Style style;
  private final List<String> lines = new ArrayList<>();

  SectionedText(int width, Style style) {
    this.width = width;
    this.style = style;
  }

  void field(String name, String value) {
    String heading = name + ":" + " ".repeat(LONGEST_NAME - name.length());
    List<String> wrapped = TextWrap.lines(SafeText.text(value), width - heading.length());
    lines.add(style.apply(Colour.HEADING, heading) + wrapped.get(0));
    wrapped.stream().skip(1).forEach(line -> lines.add(" ".repeat(heading.length()) + line));
  }

  void table(String heading, Table table, int rows) {
    if (rows > 0) {
      heading(heading);
      table.render(width - INDENT.length(), style).forEach(line -> lines.add(INDENT + line));
    }
  }

  void list(String heading, List<String> texts) {
    if (!texts.isEmpty()) {
      heading(heading);
      texts.forEach(this::item);
    }
  }

  private void item(String text) {
    List<String> wrapped = TextWrap.lines(SafeText.text(text), width - 2 * INDENT.length());
    lines.add(INDENT + wrapped.get(0));
    wrapped.stream().skip(1).forEach(line -> lines.add(INDENT + INDENT + line));
  }

  /** Lines of a unified diff, which are as long as they are. */
  void diff(String heading, List<String> diff) {
    if (!diff.isEmpty()) {
      heading(heading);
      diff.forEach(
          line -> lines.add(INDENT + style.apply(ObjectDiff.colour(line), SafeText.text(line))));
    }
  }

  private void heading(String heading) {
    lines.add("");
    lines.add(style.apply(Colour.HEADING, heading + ":"));
  }

  List<String> lines() {
    return lines;
  }
}
