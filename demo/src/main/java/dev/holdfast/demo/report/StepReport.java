// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.report;

import dev.holdfast.demo.traffic.CallCounts;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What came of a step.
 *
 * @param traffic the calls of each client since the step before
 */
public record StepReport(
    StepHeading heading, List<CheckResult> claims, Map<String, CallCounts> traffic, Duration took) {
  public StepReport {
    claims = List.copyOf(claims);
    traffic = Collections.unmodifiableMap(new LinkedHashMap<>(traffic));
  }

  public boolean held() {
    return claims.stream().allMatch(CheckResult::held);
  }

  public CallCounts calls() {
    return traffic.values().stream().reduce(CallCounts.NONE, CallCounts::plus);
  }
}
