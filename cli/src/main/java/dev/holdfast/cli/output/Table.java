// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.output;

import dev.holdfast.cli.output.Style.Colour;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Rows under headings, made to fit a width. Each row may have a note: a text of any length, shown
 * in a last column if that leaves it enough room, else below its row. Notes are never cut. Where
 * not even the columns fit, each row is shown as a record, one cell to a line.
 */
public final class Table {
  private static final int GAP = 2;
  private static final int NARROWEST_NOTE = 36;
  private static final String INDENT = "    ";

  private final List<Column> columns;
  private final String noteHeading;
  private final List<Row> rows = new ArrayList<>();

  public Table(String noteHeading, Column... columns) {
    this.noteHeading = noteHeading;
    this.columns = List.of(columns);
  }

  /** What happens to text that does not fit into its column. */
  public enum Overflow {
    /** The column is as wide as it must be. */
    NONE,
    /** All but the beginning is left out. */
    CUT,
    /** It goes on in the next line. */
    WRAP
  }

  /**
   * @param narrowest the column may be made as narrow as this, but not narrower
   */
  public record Column(String heading, Overflow overflow, int narrowest) {
    public static Column of(String heading) {
      return new Column(heading, Overflow.NONE, 0);
    }
  }

  /** One piece of text; control characters in it are shown, not obeyed. */
  public record Cell(String text, Colour colour) {
    public Cell {
      text = SafeText.text(text);
    }

    public static Cell of(String text) {
      return new Cell(text, Colour.NONE);
    }
  }

  private record Row(List<Cell> cells, String note, Colour noteColour) {
    Row(List<Cell> cells, String note) {
      this(cells, note, Colour.NONE);
    }
  }

  /** Adds a row; {@code note} may be empty. */
  public void add(String note, Cell... cells) {
    rows.add(new Row(List.of(cells), SafeText.text(note)));
  }

  public List<String> render(int width, Style style) {
    int longestNote = rows.stream().mapToInt(row -> TextWrap.width(row.note)).max().orElse(0);
    int roomForNotes = Math.min(longestNote, NARROWEST_NOTE);
    int[] widths = naturalWidths();
    shrink(widths, Overflow.CUT, longestNote == 0 ? width : width - GAP - roomForNotes);
    int left = width - total(widths) - GAP;
    boolean inline = longestNote > 0 && left >= roomForNotes;
    shrink(widths, Overflow.WRAP, width);
    if (total(widths) > width && !rows.isEmpty()) {
      return RecordLayout.render(records(), width, style);
    }

    List<String> lines = new ArrayList<>();
    Row heading = heading(inline);
    layOut(heading, widths, Math.max(left, noteHeading.length()), style, lines);
    for (Row row : rows) {
      if (inline || row.note.isEmpty()) {
        layOut(row, widths, left, style, lines);
      } else {
        layOut(new Row(row.cells, ""), widths, left, style, lines);
        for (String line : TextWrap.lines(row.note, width - INDENT.length())) {
          lines.add(INDENT + line);
        }
      }
    }
    return lines;
  }

  private List<List<RecordLayout.Field>> records() {
    List<List<RecordLayout.Field>> records = new ArrayList<>();
    for (Row row : rows) {
      List<RecordLayout.Field> fields = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        Cell cell = row.cells.get(i);
        fields.add(new RecordLayout.Field(columns.get(i).heading, cell.text, cell.colour));
      }
      if (!row.note.isEmpty()) {
        fields.add(new RecordLayout.Field(noteHeading, row.note, row.noteColour));
      }
      records.add(fields);
    }
    return records;
  }

  private Row heading(boolean withNote) {
    return new Row(
        columns.stream().map(column -> new Cell(column.heading, Colour.HEADING)).toList(),
        withNote ? noteHeading : "",
        Colour.HEADING);
  }

  private int[] naturalWidths() {
    return IntStream.range(0, columns.size())
        .map(
            i ->
                Math.max(
                    TextWrap.width(columns.get(i).heading),
                    rows.stream()
                        .mapToInt(row -> TextWrap.width(row.cells.get(i).text))
                        .max()
                        .orElse(0)))
        .toArray();
  }

  private static int total(int[] widths) {
    return Arrays.stream(widths).sum() + GAP * (widths.length - 1);
  }

  /** Takes width from the columns of one kind until all fit into {@code available}, if they can. */
  private void shrink(int[] widths, Overflow kind, int available) {
    for (int i = 0; i < widths.length; i++) {
      Column column = columns.get(i);
      int excess = total(widths) - available;
      if (column.overflow == kind && excess > 0) {
        int narrowest = Math.max(column.narrowest, column.heading.length());
        widths[i] = Math.min(widths[i], Math.max(narrowest, widths[i] - excess));
      }
    }
  }

  private void layOut(Row row, int[] widths, int noteWidth, Style style, List<String> lines) {
    List<List<String>> cells = new ArrayList<>();
    for (int i = 0; i < widths.length; i++) {
      String text = row.cells.get(i).text;
      cells.add(
          columns.get(i).overflow == Overflow.WRAP
              ? TextWrap.lines(text, widths[i])
              : List.of(TextWrap.cut(text, widths[i])));
    }
    List<String> note = row.note.isEmpty() ? List.of() : TextWrap.lines(row.note, noteWidth);
    int height = Math.max(note.size(), cells.stream().mapToInt(List::size).max().orElse(1));
    for (int y = 0; y < height; y++) {
      StringBuilder line = new StringBuilder();
      for (int x = 0; x < widths.length; x++) {
        Colour colour = row.cells.get(x).colour;
        String text = at(cells.get(x), y);
        line.append(style.apply(colour, text))
            .append(" ".repeat(widths[x] - TextWrap.width(text) + GAP));
      }
      lines.add((line + style.apply(row.noteColour, at(note, y))).stripTrailing());
    }
  }

  private static String at(List<String> lines, int y) {
    return y < lines.size() ? lines.get(y) : "";
  }
}
