// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.endpoint;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Checks what the localities of an assignment must be together (gRFC A27). */
final class Priorities {
  /** By priority as the unsigned number that it is. */
  private final SortedMap<Long, Priority> priorities = new TreeMap<>();

  private static final class Priority {
    final Set<Locality> localities = new HashSet<>();
    long weights;
  }

  /** Adds a locality; reports one that its priority already has. */
  void add(LocalityEndpoints entry, Problems problems) {
    long number = Integer.toUnsignedLong(entry.priority());
    Priority priority = priorities.computeIfAbsent(number, p -> new Priority());
    priority.weights += entry.weight();
    if (!priority.localities.add(entry.locality())) {
      problems
          .at("locality")
          .invalid("a duplicate (expected: each locality once in priority " + number + ")");
    }
  }

  /** Reports gaps between priorities, and sums of weights that are too large. */
  void finish(Problems problems) {
    long expected = 0;
    for (long number : priorities.keySet()) {
      if (number != expected) {
        problems.invalid(
            "priority "
                + expected
                + ": no locality (expected: no gap below priority "
                + priorities.lastKey()
                + ")");
        break;
      }
      expected++;
    }
    for (Map.Entry<Long, Priority> entry : priorities.entrySet()) {
      long weights = entry.getValue().weights;
      if (weights > LocalityDecoder.MAX_WEIGHT_SUM && !Decoding.full(problems)) {
        problems.invalid(
            "sum of weights in priority "
                + entry.getKey()
                + ": "
                + weights
                + " (expected: at most "
                + LocalityDecoder.MAX_WEIGHT_SUM
                + ")");
      }
    }
  }
}
