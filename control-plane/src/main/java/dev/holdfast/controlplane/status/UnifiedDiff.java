// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import java.util.ArrayList;
import java.util.List;

/**
 * A line diff of two texts with some context, by the textbook longest common subsequence: specs are
 * short, and only the beginning of a long text is compared.
 */
final class UnifiedDiff {
  private static final int CONTEXT = 3;
  private static final int MAX_LINES = 100;

  /** Longer texts are cut: a reader does not compare thousands of lines by eye. */
  private static final int MAX_INPUT_LINES = 2_000;

  private final List<String> before;
  private final List<String> after;

  /** The length of the longest common subsequence of the lines from i on and from j on. */
  private final int[][] common;

  private UnifiedDiff(List<String> before, List<String> after) {
    this.before = before.subList(0, Math.min(before.size(), MAX_INPUT_LINES));
    this.after = after.subList(0, Math.min(after.size(), MAX_INPUT_LINES));
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

  /**
   * Each line of the result begins with a blank, a minus or a plus; {@code ...} marks omitted
   * lines.
   */
  static List<String> of(List<String> before, List<String> after) {
    List<String> shown = withContext(new UnifiedDiff(before, after).lines());
    if (shown.size() <= MAX_LINES) {
      return shown;
    }
    List<String> cut = new ArrayList<>(shown.subList(0, MAX_LINES));
    cut.add("... and " + (shown.size() - MAX_LINES) + " more lines");
    return cut;
  }

  private List<String> lines() {
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

  /** The changed lines with their context. */
  private static List<String> withContext(List<String> lines) {
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
