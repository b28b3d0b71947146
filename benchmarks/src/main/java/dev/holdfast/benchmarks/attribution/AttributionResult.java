// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.attribution;

import dev.holdfast.benchmarks.report.Samples;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was measured.
 *
 * @param setting the circumstances, a line each
 */
record AttributionResult(
    List<String> setting,
    List<Cell> cells,
    List<PerPush> perPush,
    List<Confirmation> confirmations) {
  AttributionResult {
    setting = List.copyOf(setting);
    cells = List.copyOf(cells);
    perPush = List.copyOf(perPush);
    confirmations = List.copyOf(confirmations);
  }

  /**
   * One case of the table.
   *
   * @param size how many objects were changed at once
   * @param badObjects how many of them were bad
   * @param mean how many pushes it took on average
   * @param most and at worst
   */
  record Cell(int size, int badObjects, int seeds, double mean, int most) {
    /** What it may take. */
    int bound() {
      int bits = size <= 1 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(size - 1);
      return badObjects * (bits + 1);
    }

    boolean isMet() {
      return most <= bound();
    }
  }

  /**
   * What a push costs the control plane while it searches.
   *
   * @param served how many objects there were before
   * @param changed how many were changed at once, one of them bad
   */
  record PerPush(int served, int changed, Samples cpuMillis, Samples kibibytes) {}

  /**
   * What it costs that a second proxy confirms what the first one says.
   *
   * @param proxies how many of one class there are
   * @param changed how many objects were changed at once
   * @param badObjects how many of them were bad
   * @param alone where only one proxy is asked
   * @param confirmed where a second one is asked, too
   */
  record Confirmation(
      int proxies,
      int changed,
      int badObjects,
      ConfirmationRun.Cost alone,
      ConfirmationRun.Cost confirmed) {}

  /** The case of a size and a number of badObjects; null if there is none. */
  @Nullable Cell cell(int size, int badObjects) {
    return cells.stream()
        .filter(cell -> cell.size == size && cell.badObjects == badObjects)
        .findFirst()
        .orElse(null);
  }
}
