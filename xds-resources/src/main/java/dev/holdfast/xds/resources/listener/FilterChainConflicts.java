// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.listener;

import dev.holdfast.base.Problems;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds filter chains that could match one connection equally well (gRFC A36). Each match stands
 * for all combinations of its lists' elements; two chains that share a combination are in conflict.
 * Combinations multiply, so there is a limit to how many one listener may ask to be compared.
 */
final class FilterChainConflicts {
  static final int MAX_COMBINATIONS = 100_000;

  /** Stands for a list that asks for nothing. */
  private static final Set<String> ANYTHING = Set.of("");

  private final Map<List<Object>, Integer> owners = new HashMap<>();
  private long combinations;

  /** Adds the chain of the given index, and reports the first conflict with an earlier one. */
  void add(int index, FilterChainMatch match, Problems problems) {
    List<Set<?>> lists =
        List.of(
            distinct(match.prefixRanges()),
            distinct(match.sourcePrefixRanges()),
            distinct(match.sourcePorts()),
            distinct(match.serverNames()),
            distinct(match.applicationProtocols()));
    long count = 1;
    for (Set<?> list : lists) {
      count = Math.min(MAX_COMBINATIONS + 1L, count * list.size());
    }
    combinations += count;
    if (combinations > MAX_COMBINATIONS) {
      problems.unsupported(
          "too many combinations to tell the filter chains apart (expected: at most "
              + MAX_COMBINATIONS
              + ")");
      return;
    }
    Integer other = firstConflict(index, match, lists);
    if (other != null) {
      problems.invalid(
          "could match the same connections as filter_chains["
              + other
              + "] equally well (expected: distinct matches)");
    }
  }

  private @Nullable Integer firstConflict(int index, FilterChainMatch match, List<Set<?>> lists) {
    Integer conflict = null;
    for (Object prefix : lists.get(0)) {
      for (Object sourcePrefix : lists.get(1)) {
        for (Object sourcePort : lists.get(2)) {
          for (Object serverName : lists.get(3)) {
            for (Object protocol : lists.get(4)) {
              List<Object> combination =
                  List.of(
                      match.destinationPort(),
                      match.sourceType(),
                      match.transportProtocol(),
                      prefix,
                      sourcePrefix,
                      sourcePort,
                      serverName,
                      protocol);
              Integer owner = owners.putIfAbsent(combination, index);
              conflict = conflict == null ? owner : conflict;
            }
          }
        }
      }
    }
    return conflict;
  }

  private static Set<?> distinct(List<?> elements) {
    return elements.isEmpty() ? ANYTHING : new LinkedHashSet<>(elements);
  }
}
