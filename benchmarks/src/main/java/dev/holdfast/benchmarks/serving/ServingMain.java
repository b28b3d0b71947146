// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.serving;

import dev.holdfast.benchmarks.report.JsonReport;
import dev.holdfast.benchmarks.report.Report;
import dev.holdfast.benchmarks.report.TextReport;
import java.io.PrintStream;

/** The command's other half: measures control planes, and prints the comparison. */
public final class ServingMain {
  /** What the command is asked for with. */
  public static final String WORD = "control-plane";

  private ServingMain() {}

  public static int run(PrintStream out, PrintStream err, String... arguments) {
    ServingOptions options;
    try {
      options = ServingOptions.parse(arguments);
    } catch (ServingOptions.UsageException e) {
      err.println(e.getMessage());
      err.print(ServingOptions.USAGE);
      return 2;
    }
    System.setProperty("slf4j.internal.verbosity", "ERROR"); // nobody listens to logs here
    Report report = new ServingComparison(options, err).run();
    out.print(options.json() ? JsonReport.render(report) : TextReport.render(report));
    return 0;
  }
}
