// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.kubernetes;

import dev.holdfast.benchmarks.report.JsonReport;
import dev.holdfast.benchmarks.report.Report;
import dev.holdfast.benchmarks.report.TextReport;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;

/** The command's part for clusters: measures, and prints the comparison with Contour. */
public final class KubernetesMain {
  /** What the command is asked for with. */
  public static final String WORD = "kubernetes";

  /** EndpointSlices refuse addresses of loopback, so the namespace has this one, too. */
  static final String ADDRESS = "10.244.0.1";

  private KubernetesMain() {}

  public static int run(PrintStream out, PrintStream err, String... arguments) {
    KubernetesOptions options;
    Programs programs;
    try {
      options = KubernetesOptions.parse(arguments);
      programs = Programs.find(System.getenv());
    } catch (KubernetesOptions.UsageException e) {
      err.println(e.getMessage());
      err.print(KubernetesOptions.USAGE);
      return 2;
    } catch (Programs.MissingException e) {
      err.println("nothing is measured: " + e.getMessage());
      return 1;
    }
    if (!hasAddress()) {
      err.println(
          "nothing is measured: no address "
              + ADDRESS
              + " (expected: a network namespace; see benchmarks/run)");
      return 1;
    }
    try {
      Path directory = Files.createTempDirectory("holdfast-benchmark");
      err.println("logs: " + directory);
      Report report = new KubernetesComparison(options, programs, directory, err).run();
      out.print(options.json() ? JsonReport.render(report) : TextReport.render(report));
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean hasAddress() {
    try {
      return NetworkInterface.getByInetAddress(InetAddress.getByName(ADDRESS)) != null;
    } catch (IOException e) {
      return false;
    }
  }
}
