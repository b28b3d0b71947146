// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.kubernetes;

import java.util.ArrayList;
import java.util.List;

/** What was measured of one side with one number of hosts. Times are in milliseconds. */
final class SideResult {
  double start;
  double startAgain;
  final List<Double> edits = new ArrayList<>();

  /** Until the API server had answered the author; part of the above. */
  final List<Double> stored = new ArrayList<>();

  /** CPU time per second. */
  double restCpu;

  double restMib;
  double restEnvoyMib;

  double stormEditsPerSecond;
  double stormCpu;
  double stormEnvoyCpu;
  double stormMostMib;

  /** From the last edit of the storm until it was answered. */
  double stormLast;
}
