// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.dataplane;

import dev.holdfast.benchmarks.report.JsonReport;
import dev.holdfast.benchmarks.report.Report;
import dev.holdfast.benchmarks.report.TextReport;
import java.io.PrintStream;
import java.util.List;

/** The command's part for channels: measures, and prints the comparison. */
public final class DataPlaneMain {
  /** What the command is asked for with. */
  public static final String WORD = "data-plane";

  public static final String USAGE = DataPlaneOptions.USAGE;

  private DataPlaneMain() {}

  public static int run(PrintStream out, PrintStream err, String... arguments) {
    DataPlaneOptions options = DataPlaneOptions.parse(List.of(arguments));
    if (options == null) {
      err.println("unknown options: " + String.join(" ", arguments));
      err.print(USAGE);
      return 2;
    }
    Report report = new DataPlaneComparison(options, err).run();
    out.print(options.json() ? JsonReport.render(report) : TextReport.render(report));
    return 0;
  }
}
