// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks;

import dev.holdfast.benchmarks.client.Response;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The circumstances without which numbers mean nothing. */
final class RunConditions {
  private RunConditions() {}

  static List<String> describe(Options options, Response everything) {
    Runtime runtime = Runtime.getRuntime();
    return List.of(
        String.format(
            Locale.ROOT,
            "%s %s, %d cores, heap %,d MiB, %s",
            System.getProperty("java.vm.name"),
            Runtime.version(),
            runtime.availableProcessors(),
            runtime.maxMemory() >> 20,
            ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName)
                .collect(Collectors.joining(", "))),
        String.format(
            Locale.ROOT,
            "%,d clusters, %,d KiB in one response; rounds: %d after %d (fewer where they are"
                + " slow)",
            options.clusters(),
            everything.serialized().length / 1024,
            options.rounds(),
            options.warmups()),
        "median [lower .. upper quartile]; ratio = holdfast / grpc-xds");
  }
}
