// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.report;

import java.util.List;

/**
 * A comparison.
 *
 * @param setting under which circumstances, one line each
 */
public record Report(String ours, String peer, List<String> setting, List<Row> rows) {
  public Report {
    setting = List.copyOf(setting);
    rows = List.copyOf(rows);
  }
}
