// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.output.Style.Colour;
import dev.holdfast.cli.output.Table.Cell;
import dev.holdfast.cli.output.Table.Column;
import dev.holdfast.cli.output.Table.Overflow;
import org.junit.jupiter.api.Test;

/** A table that does not fit. */
class RecordLayoutTest {
  private final Table table =
      new Table(
          "MESSAGE",
          Column.of("NAMESPACE"),
          new Column("NAME", Overflow.WRAP, 12),
          Column.of("PROGRAMMED"));

  @Test
  void eachRowIsShownOneCellToALine() {
    add("something is very wrong here", "shop", "a-rather-long-name-of-an-object");
    add("", "blog", "b");

    assertThat(table.render(32, Style.PLAIN))
        .containsExactly(
            "NAMESPACE   shop",
            "NAME        a-rather-long-name-o",
            "            f-an-object",
            "PROGRAMMED  True",
            "MESSAGE     something is very",
            "            wrong here",
            "",
            "NAMESPACE   blog",
            "NAME        b",
            "PROGRAMMED  True");
  }

  @Test
  void headingsAndCellsKeepTheirColours() {
    table.add("", Cell.of("shop"), Cell.of("web"), new Cell("False", Colour.BAD));

    assertThat(table.render(20, Style.COLOURED))
        .last()
        .isEqualTo("\u001b[1mPROGRAMMED\u001b[0m  \u001b[31mFalse\u001b[0m");
  }

  private void add(String note, String namespace, String name) {
    table.add(note, Cell.of(namespace), Cell.of(name), Cell.of("True"));
  }
}
