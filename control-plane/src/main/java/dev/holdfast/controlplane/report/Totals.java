// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import dev.holdfast.controlplane.snapshot.ResourceType;
import java.time.Duration;
import java.util.Map;

/**
 * Counters since the start, and current totals.
 *
 * @param objects the number of objects by kind
 * @param programmed the number of objects by the reason of their {@code Programmed} condition
 * @param invalid the number of invalid objects
 * @param unable the number of proxies that cannot run a resource because of a local problem
 * @param diverged the number of proxies that reject what others of their class run
 * @param byType totals by resource type
 * @param suppressed resources that were not sent because the proxy had rejected the same bytes
 * @param held the number of held objects by reason
 * @param searches the searches for offending objects
 * @param sourceProblems the number of problems of the source
 * @param states the number of objects by the word of their {@link ObjectState}
 * @param problems the number of problems in {@link Reports#problems()}
 * @param warnings the number of warnings there
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
    int sourceProblems,
    Map<String, Integer> states,
    int problems,
    int warnings) {
  /**
   * The searches for offending objects.
   *
   * @param pushes how many trials they took
   * @param ended how many of them ended
   * @param time the total duration of the ended ones
   */
  public record Searches(long pushes, long ended, Duration time) {}

  /**
   * The totals of one resource type.
   *
   * @param nacks by proxy class
   * @param unable resources that could not be run because of a local problem, by proxy class
   * @param answers how long proxies took to answer
   * @param oldestUnanswered how long the oldest unanswered response has been waiting
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
