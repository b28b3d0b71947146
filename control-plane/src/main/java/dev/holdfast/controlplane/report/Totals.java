// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import dev.holdfast.controlplane.snapshot.ResourceType;
import java.time.Duration;
import java.util.Map;

/**
 * Numbers since the start, and of now.
 *
 * @param objects how many there are, by kind
 * @param programmed how many objects have each answer to {@code Programmed}, by reason
 * @param invalid how many objects are not valid
 * @param diverged how many proxies refuse what others of their class run
 * @param byType by type of resource
 * @param suppressed resources that were not sent because the proxy had rejected those very bytes
 * @param held how many objects are held, by reason
 * @param searchPushes how many trials the search for those to blame has cost
 * @param sourceProblems what is wrong with the source
 */
public record Totals(
    Map<String, Integer> objects,
    Map<String, Integer> programmed,
    int invalid,
    int proxies,
    int streams,
    int diverged,
    Map<ResourceType, TypeTotals> byType,
    long suppressed,
    Map<String, Integer> held,
    long searchPushes,
    int sourceProblems) {
  /**
   * Of one type.
   *
   * @param ackLatency of all answers together
   * @param oldestUnanswered how long the longest-waiting response has been waiting
   */
  public record TypeTotals(
      int resources,
      long responses,
      long acks,
      long nacks,
      long bytes,
      Duration ackLatency,
      Duration oldestUnanswered) {}
}
