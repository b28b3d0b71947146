// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import java.util.ArrayList;
import java.util.List;

/**
 * What differs between two texts, with some lines around it. The longest common subsequence, as it
 * is in the books: specs are short, and of what is not short only the beginning is shown.
 */
final class UnifiedDiff {
  private static final int CONTEXT = 3;
  private static final int MOST_LINES = 100;

  /** Longer texts are cut: nobody compares thousands of lines by eye. */
  private static final int MOST_INPUT = 2_000;

  private final List<String> before;
  private final List<String> after;

  /** How many lines the texts have in common from two places on. */
  private final int[][] common;

  private UnifiedDiff(List<String> before, List<String> after) {
    this.before = before.subList(0, Math.min(before.size(), MOST_INPUT));
    this.after = after.subList(0, Math.min(after.size(), MOST_INPUT));
    this.common = new int[this.before.size() + 1][this.after.size() + 1];
    for (int i = this.before.size() - 1; i >= 0; i--) {
      for (int j = this.after.size() - 1; j >= 0; j--) {
        common[i][j] =
            this.before.get(i).equals(this.after.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
  }

  /** Each line of the result begins with a blank, a minus or a plus; a gap is {@code ...}. */
  static List<String> of(List<String> before, List<String> after) {
    List<String> shown = shortened(new UnifiedDiff(before, after).all());
    if (shown.size() <= MOST_LINES) {
      return shown;
    }
    List<String> cut = new ArrayList<>(shown.subList(0, MOST_LINES));
    cut.add("... and " + (shown.size() - MOST_LINES) + " more lines");
    return cut;
  }

  private List<String> all() {
    List<String> lines = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < before.size() || j < after.size()) {
      boolean same = i < before.size() && j < after.size() && before.get(i).equals(after.get(j));
      if (same) {
        lines.add(" " + before.get(i));
        i++;
        j++;
      } else if (j == after.size() || (i < before.size() && common[i + 1][j] >= common[i][j + 1])) {
        lines.add("-" + before.get(i++));
      } else {
        lines.add("+" + after.get(j++));
      }
    }
    return lines;
  }

  /** Only what is near a difference. */
  private static List<String> shortened(List<String> lines) {
    List<String> shown = new ArrayList<>();
    boolean gap = false;
    for (int i = 0; i < lines.size(); i++) {
      boolean near = false;
      for (int k = Math.max(0, i - CONTEXT); k <= Math.min(lines.size() - 1, i + CONTEXT); k++) {
        near |= lines.get(k).charAt(0) != ' ';
      }
      if (near) {
        if (gap) {
          shown.add("...");
        }
        shown.add(lines.get(i));
      }
      gap = !near;
    }
    return shown;
  }
}
