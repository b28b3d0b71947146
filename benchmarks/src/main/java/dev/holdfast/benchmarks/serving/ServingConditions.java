// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.serving;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;

/** The circumstances without which numbers mean nothing. */
final class ServingConditions {
  private ServingConditions() {}

  /** How many threads wanted to run, over the last minute. */
  static String load() {
    return String.format(
        Locale.ROOT, "%.1f", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }

  static List<String> describe(ServingOptions options, String loadBefore) {
    return List.of(
        String.format(
            Locale.ROOT,
            "%s %s, %d cores; load average %s before, %s after (its own included); servers: %s",
            System.getProperty("java.vm.name"),
            Runtime.version(),
            Runtime.getRuntime().availableProcessors(),
            loadBefore,
            load(),
            String.join(" ", options.jvm())),
        String.format(
            Locale.ROOT,
            "%,d clusters, %,d streams, each on a connection of its own; rounds: %d after %d (%d"
                + " times as many over Delta)",
            options.clusters(),
            options.streams(),
            options.rounds(),
            options.warmups(),
            ServingComparison.TIMES_AS_MANY_ROUNDS_OVER_DELTA),
        "median [lower .. upper quartile]; ratio = holdfast / java-control-plane");
  }
}
