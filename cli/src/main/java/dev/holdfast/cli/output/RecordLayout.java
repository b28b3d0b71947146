// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.output;

import dev.holdfast.cli.output.Style.Colour;
import java.util.ArrayList;
import java.util.List;

/** Rows of a table that does not fit, one below the other. */
final class RecordLayout {
  private static final int GAP = 2;

  private RecordLayout() {}

  /** A cell with the heading of its column. */
  record Field(String heading, String text, Colour colour) {}

  static List<String> render(List<List<Field>> records, int width, Style style) {
    int longest =
        records.stream()
            .flatMap(List::stream)
            .mapToInt(field -> TextWrap.width(field.heading))
            .max()
            .orElse(0);
    List<String> lines = new ArrayList<>();
    for (List<Field> record : records) {
      if (!lines.isEmpty()) {
        lines.add("");
      }
      record.forEach(field -> add(field, longest + GAP, width, style, lines));
    }
    return lines;
  }

  private static void add(Field field, int indent, int width, Style style, List<String> lines) {
    String heading = style.apply(Colour.HEADING, field.heading);
    String gap = " ".repeat(indent - TextWrap.width(field.heading));
    List<String> text = TextWrap.lines(field.text, Math.max(1, width - indent));
    for (int i = 0; i < text.size(); i++) {
      String left = i == 0 ? heading + gap : " ".repeat(indent);
      lines.add((left + style.apply(field.colour, text.get(i))).stripTrailing());
    }
  }
}
