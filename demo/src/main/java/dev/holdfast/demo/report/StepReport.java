// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.report;

import dev.holdfast.demo.traffic.Tally;
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
    Heading heading, List<Claim> claims, Map<String, Tally> traffic, Duration took) {
  public StepReport {
    claims = List.copyOf(claims);
    traffic = Collections.unmodifiableMap(new LinkedHashMap<>(traffic));
  }

  public boolean held() {
    return claims.stream().allMatch(Claim::held);
  }

  public Tally calls() {
    return traffic.values().stream().reduce(Tally.NONE, Tally::plus);
  }
}
