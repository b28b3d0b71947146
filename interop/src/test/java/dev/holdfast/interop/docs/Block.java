// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Commands that a page shows: a fenced block in {@code sh} or {@code console}.
 *
 * @param line of the page, from 1, of the first command
 * @param lines as they are written
 */
record Block(int line, List<String> lines, Mark mark) {
  private static final Set<String> LANGUAGES = Set.of("sh", "console");
  private static final Pattern FENCE = Pattern.compile("^```(\\w*)$");
  private static final Pattern COMMENT = Pattern.compile("^<!-- test: (.*) -->$");

  /** What a reader cannot be asked to do by the text: a comment in the line above the block. */
  enum How {
    /** The commands run one after the other, and succeed. */
    RUN,
    /** {@code not run: REASON} */
    NOT_RUN,
    /**
     * {@code until: TEXT}: in a terminal of its own, until the page ends; the text says it is up.
     */
    UNTIL,
    /** {@code exit: CODE}: the last command ends with this code. */
    EXIT,
    /**
     * {@code needs: envoy}: from here on only if there is one. {@code needs: kube}: the page has a
     * Kubernetes cluster of its own, with Contour's CRDs, and is skipped if that cannot be.
     */
    NEEDS
  }

  /** How a block is run. */
  record Mark(How how, String value) {
    static final Mark NONE = new Mark(How.RUN, "");

    static Mark parse(String text) {
      int colon = text.indexOf(": ");
      String word = colon < 0 ? text : text.substring(0, colon);
      for (How how : How.values()) {
        if (colon > 0 && how.name().replace('_', ' ').equalsIgnoreCase(word)) {
          return new Mark(how, text.substring(colon + 2).strip());
        }
      }
      throw new AssertionError(
          "<!-- test: "
              + text
              + " --> (expected: not run: REASON, until: TEXT, exit: CODE, needs: envoy or needs: kube)");
    }
  }

  Block {
    lines = List.copyOf(lines);
  }

  /** The blocks of a page, in order. */
  static List<Block> of(String page) {
    List<Block> blocks = new ArrayList<>();
    List<String> lines = page.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      Matcher fence = FENCE.matcher(lines.get(i).strip());
      if (!fence.matches()) {
        continue;
      }
      int end = i + 1;
      while (end < lines.size() && !lines.get(end).strip().equals("```")) {
        end++;
      }
      if (LANGUAGES.contains(fence.group(1))) {
        Matcher comment = COMMENT.matcher(i == 0 ? "" : lines.get(i - 1).strip());
        Mark mark = comment.matches() ? Mark.parse(comment.group(1)) : Mark.NONE;
        blocks.add(new Block(i + 2, lines.subList(i + 1, end), mark));
      }
      i = end;
    }
    return blocks;
  }

  /** What is run at once, and what the page says it prints. */
  List<Step> steps() {
    if (lines.stream().noneMatch(line -> line.startsWith("$ "))) {
      return List.of(new Step(line, String.join("\n", lines), List.of()));
    }
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < lines.size(); ) {
      int start = i;
      List<String> command = new ArrayList<>(List.of(lines.get(i++).replaceFirst("^\\$ ", "")));
      while (command.get(command.size() - 1).endsWith("\\") && i < lines.size()) {
        command.add(lines.get(i++));
      }
      List<String> output = new ArrayList<>();
      while (i < lines.size() && !lines.get(i).startsWith("$ ")) {
        output.add(lines.get(i++));
      }
      steps.add(new Step(line + start, String.join("\n", command), output));
    }
    return steps;
  }

  /**
   * Commands that are run together.
   *
   * @param output what the page shows after them; empty if it shows nothing
   */
  record Step(int line, String script, List<String> output) {
    Step {
      output = List.copyOf(output);
    }
  }
}
