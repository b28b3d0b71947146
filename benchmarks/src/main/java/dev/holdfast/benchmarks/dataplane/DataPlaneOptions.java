// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.dataplane;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How much is measured.
 *
 * @param rounds how often each side is measured
 * @param warmups how many rounds before those are thrown away
 * @param selections how many routes are selected in a round
 * @param calls how many calls are made in a round
 * @param changes how many endpoints are changed in a round
 */
record DataPlaneOptions(
    int hosts,
    int routes,
    int clusters,
    int rounds,
    int warmups,
    int selections,
    int calls,
    int changes,
    boolean json) {
  static final String USAGE =
      """
      usage: benchmarks/run data-plane [--quick] [-o text|json]
        --quick    everything small, to see that it works
        -o FORMAT  text (default) or json
      """;

  private static final DataPlaneOptions FULL =
      new DataPlaneOptions(1000, 100, 1000, 11, 5, 200_000, 5_000, 50, /* json= */ false);
  private static final DataPlaneOptions QUICK =
      new DataPlaneOptions(10, 5, 10, 1, 0, 100, 50, 2, /* json= */ false);

  /** Null if the arguments are none that are known. */
  static @Nullable DataPlaneOptions parse(List<String> arguments) {
    boolean quick = arguments.contains("--quick");
    List<String> rest = arguments.stream().filter(word -> !word.equals("--quick")).toList();
    DataPlaneOptions options = quick ? QUICK : FULL;
    if (rest.isEmpty() || rest.equals(List.of("-o", "text"))) {
      return options;
    }
    return rest.equals(List.of("-o", "json")) ? options.asJson() : null;
  }

  private DataPlaneOptions asJson() {
    return new DataPlaneOptions(
        hosts, routes, clusters, rounds, warmups, selections, calls, changes, /* json= */ true);
  }
}
