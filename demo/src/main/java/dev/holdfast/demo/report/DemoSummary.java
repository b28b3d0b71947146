// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.report;

import dev.holdfast.demo.traffic.CallCounts;
import java.time.Duration;
import java.util.List;

/**
 * What came of it all.
 *
 * @param planned how many steps there are; fewer reports if one did not hold
 * @param trouble what to know if not all held: what a call or a process said
 */
public record DemoSummary(
    DemoSetup setting, List<StepReport> steps, int planned, List<String> trouble, Duration took) {
  public DemoSummary {
    steps = List.copyOf(steps);
    trouble = List.copyOf(trouble);
  }

  /** Whether every claim of every step was so. */
  public boolean held() {
    return steps.size() == planned && steps.stream().allMatch(StepReport::held);
  }

  public int claims() {
    return steps.stream().mapToInt(step -> step.claims().size()).sum();
  }

  public CallCounts calls() {
    return steps.stream().map(StepReport::calls).reduce(CallCounts.NONE, CallCounts::plus);
  }
}
