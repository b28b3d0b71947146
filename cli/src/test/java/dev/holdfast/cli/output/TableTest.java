// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.output.Style.Colour;
import dev.holdfast.cli.output.Table.Cell;
import dev.holdfast.cli.output.Table.Column;
import dev.holdfast.cli.output.Table.Overflow;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
  private final Table table =
      new Table(
          "NOTE",
          new Column("NAME", Overflow.WRAP, 8),
          Column.of("STATE"),
          new Column("VERSION", Overflow.CUT, 7));

  @Test
  void columnsAreAsWideAsTheirWidestCell() {
    add("", "a", "GOOD", "1");
    add("", "longer-name", "BAD", "123");

    assertThat(render(80))
        .containsExactly(
            "NAME         STATE  VERSION", "a            GOOD   1", "longer-name  BAD    123");
  }

  @Test
  void aNoteThatFitsIsTheLastColumn() {
    add("something is wrong", "a", "BAD", "1");
    add("", "b", "GOOD", "2");

    assertThat(render(80))
        .containsExactly(
            "NAME  STATE  VERSION  NOTE",
            "a     BAD    1        something is wrong",
            "b     GOOD   2");
  }

  @Test
  void aLongNoteIsWrappedInItsColumn() {
    add("one two three four five six seven eight nine ten eleven twelve", "a", "BAD", "1");

    assertThat(render(60))
        .containsExactly(
            "NAME  STATE  VERSION  NOTE",
            "a     BAD    1        one two three four five six seven",
            "                      eight nine ten eleven twelve");
  }

  @Test
  void aNoteWithoutRoomGoesBelowItsRow() {
    add("one two three four five six seven eight nine ten", "a-rather-long-name", "BAD", "1");
    add("", "b", "GOOD", "2");

    assertThat(render(40))
        .containsExactly(
            "NAME                STATE  VERSION",
            "a-rather-long-name  BAD    1",
            "    one two three four five six seven",
            "    eight nine ten",
            "b                   GOOD   2");
  }

  @Test
  void versionsAreCutBeforeNamesAreWrapped() {
    add("", "0123456789abcdef", "GOOD", "0123456789");

    assertThat(render(33))
        .containsExactly("NAME              STATE  VERSION", "0123456789abcdef  GOOD   0123456…");
  }

  @Test
  void namesAreWrappedAndNeverLost() {
    add("", "0123456789abcdefghij", "GOOD", "1");

    assertThat(render(24))
        .containsExactly("NAME      STATE  VERSION", "01234567  GOOD   1", "89abcdef", "ghij");
  }

  @Test
  void nothingOfANoteIsLostAtAnyWidth() {
    String note = "an error with a_very_long_word_that_does_not_fit_into_any_narrow_column at all";
    add(note, "some-name", "BAD", "1");

    for (int width = 40; width < 140; width++) {
      int fitting = width;
      List<String> lines = render(width);
      assertThat(String.join("", lines).replace(" ", "")).contains(note.replace(" ", ""));
      assertThat(lines).allMatch(line -> line.length() <= fitting);
    }
  }

  @Test
  void colourIsNotCountedAsWidth() {
    table.add("", Cell.of("a"), new Cell("GOOD", Colour.GOOD), Cell.of("1"));

    assertThat(table.render(80, Style.COLOURED).get(1))
        .isEqualTo("a     \u001b[32mGOOD\u001b[0m   1");
  }

  @Test
  void theHeadingOfNotesLooksLikeTheOthersAndNotesDoNot() {
    add("why", "a", "BAD", "1");

    List<String> lines = table.render(80, Style.COLOURED);
    assertThat(lines.get(0)).startsWith("\u001b[1m").endsWith("  \u001b[1mNOTE\u001b[0m");
    assertThat(lines.get(1)).endsWith("  why");
  }

  @Test
  void controlCharactersOfCellsAndNotesAreShownNotObeyed() {
    add("x\ny", "a\u001b[2J", "BAD", "1");

    assertThat(String.join("|", render(80))).contains("a\\u001b[2J").contains("x\\ny");
  }

  private void add(String note, String name, String state, String version) {
    table.add(note, Cell.of(name), Cell.of(state), Cell.of(version));
  }

  private List<String> render(int width) {
    return table.render(width, Style.PLAIN);
  }
}
