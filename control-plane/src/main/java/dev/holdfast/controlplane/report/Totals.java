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
 * @param unable how many proxies cannot run something for reasons of their machine
 * @param diverged how many proxies refuse what others of their class run
 * @param byType by type of resource
 * @param suppressed resources that were not sent because the proxy had rejected those very bytes
 * @param held how many objects are held, by reason
 * @param searches for those to blame
 * @param sourceProblems what is wrong with the source
 */
public record Totals(
    Map<String, Integer> objects,
    Map<String, Integer> programmed,
    int invalid,
    int proxies,
    int streams,
    int unable,
    int diverged,
    Map<ResourceType, TypeTotals> byType,
    long suppressed,
    Map<String, Integer> held,
    Searches searches,
    int sourceProblems) {
  /**
   * The searches for those to blame.
   *
   * @param pushes how many trials they have cost
   * @param ended how many incidents are over
   * @param time of those together
   */
  public record Searches(long pushes, long ended, Duration time) {}

  /**
   * Of one type.
   *
   * @param nacks by class of proxies
   * @param unable resources that could not be run for reasons of the machine, by class of proxies
   * @param answers how long they took
   * @param oldestUnanswered how long the longest-waiting response has been waiting
   */
  public record TypeTotals(
      int resources,
      long responses,
      long acks,
      Map<String, Long> nacks,
      Map<String, Long> unable,
      long bytes,
      Distribution answers,
      Duration oldestUnanswered) {}
}
