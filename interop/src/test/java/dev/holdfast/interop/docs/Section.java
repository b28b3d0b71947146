// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

/**
 * A section of a page.
 *
 * @param text all of it, as it is written, without the heading
 */
record Section(String heading, String text) {
  private static final String MARK = "## ";

  /** The sections of a page, in order. */
  static List<Section> of(String page) {
    List<Section> sections = new ArrayList<>();
    String heading = "";
    StringBuilder text = new StringBuilder();
    for (String line : (page + "\n" + MARK).lines().toList()) {
      if (line.startsWith(MARK)) {
        sections.add(new Section(heading, text.toString()));
        heading = line.substring(MARK.length());
        text.setLength(0);
      } else {
        text.append(line).append('\n');
      }
    }
    return sections.subList(1, sections.size()); // what is above the first heading is none
  }

  /** The first cells of its tables, without the heads of those. */
  List<String> rows() {
    List<String> rows = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int i = 2; i < lines.size(); i++) {
      if (lines.get(i).startsWith("| ") && lines.get(i - 1).startsWith("|")) {
        rows.add(lines.get(i).substring(2).split(" \\| ", 2)[0].strip());
      }
    }
    return rows;
  }

  /** The lines of its commands that are to be run as they stand. */
  List<String> commands() {
    List<String> commands = new ArrayList<>();
    for (Block block : Block.of(text)) {
      if (block.mark().how() != Block.How.NOT_RUN) {
        commands.addAll(block.lines());
      }
    }
    return commands;
  }

  /** It tells its reader to run this: in a block, or in a sentence, there without the program. */
  void tells(String command) {
    if (!commands().contains(command)) {
      assertThat(text)
          .as("%s: a command", heading)
          .contains("`" + command.replaceFirst("^\\./holdfast ", "") + "`");
    }
  }

  /** It has these words. */
  void says(String words) {
    assertThat(text).as("%s: words", heading).contains(words);
  }
}
