// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks;

import dev.holdfast.benchmarks.attribution.AttributionMain;
import dev.holdfast.benchmarks.attribution.AttributionOptions;
import dev.holdfast.benchmarks.dataplane.DataPlaneMain;
import dev.holdfast.benchmarks.kubernetes.KubernetesMain;
import dev.holdfast.benchmarks.kubernetes.KubernetesOptions;
import dev.holdfast.benchmarks.report.JsonReport;
import dev.holdfast.benchmarks.report.Report;
import dev.holdfast.benchmarks.report.TextReport;
import dev.holdfast.benchmarks.serving.ServingMain;
import dev.holdfast.benchmarks.serving.ServingOptions;
import java.io.PrintStream;
import java.util.Arrays;

/** The command: measures, and prints the comparison. Progress goes to standard error. */
public final class Main {
  private Main() {}

  public static void main(String... arguments) {
    System.exit(run(System.out, System.err, arguments));
  }

  static int run(PrintStream out, PrintStream err, String... arguments) {
    if (Arrays.asList(arguments).contains("--help")) {
      out.print(Options.USAGE);
      out.print(ServingOptions.USAGE);
      out.print(AttributionOptions.USAGE);
      out.print(DataPlaneMain.USAGE);
      out.print(KubernetesOptions.USAGE);
      return 0;
    }
    if (arguments.length > 0 && arguments[0].equals(ServingMain.WORD)) {
      return ServingMain.run(out, err, Arrays.copyOfRange(arguments, 1, arguments.length));
    }
    if (arguments.length > 0 && arguments[0].equals(AttributionMain.WORD)) {
      return AttributionMain.run(out, err, Arrays.copyOfRange(arguments, 1, arguments.length));
    }
    if (arguments.length > 0 && arguments[0].equals(DataPlaneMain.WORD)) {
      return DataPlaneMain.run(out, err, Arrays.copyOfRange(arguments, 1, arguments.length));
    }
    if (arguments.length > 0 && arguments[0].equals(KubernetesMain.WORD)) {
      return KubernetesMain.run(out, err, Arrays.copyOfRange(arguments, 1, arguments.length));
    }
    Options options;
    try {
      options = Options.parse(arguments);
    } catch (Options.UsageException e) {
      err.println(e.getMessage());
      err.print(Options.USAGE);
      return 2;
    }
    Report report = new Comparison(options, err).run();
    out.print(
        switch (options.format()) {
          case TEXT -> TextReport.render(report);
          case JSON -> JsonReport.render(report);
        });
    return 0;
  }
}
