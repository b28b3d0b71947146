// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.report;

import dev.holdfast.demo.traffic.CallCounts;
import java.time.Duration;
import java.util.List;

/**
 * The result of the whole demo.
 *
 * @param planned how many steps there are; fewer reports if one failed
 * @param diagnostics errors of calls and log lines of processes, if a check failed
 */
public record DemoSummary(
    DemoSetup setup, List<StepReport> steps, int planned, List<String> diagnostics, Duration took) {
  public DemoSummary {
    steps = List.copyOf(steps);
    diagnostics = List.copyOf(diagnostics);
  }

  /** Whether every check of every step passed. */
  public boolean passed() {
    return steps.size() == planned && steps.stream().allMatch(StepReport::passed);
  }

  public int checks() {
    return steps.stream().mapToInt(step -> step.checks().size()).sum();
  }

  public CallCounts calls() {
    return steps.stream().map(StepReport::calls).reduce(CallCounts.NONE, CallCounts::plus);
  }
}
