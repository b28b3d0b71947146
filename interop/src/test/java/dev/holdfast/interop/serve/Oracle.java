// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which requests must be answered, and by which backends.
 *
 * @param what is going on, for error texts
 */
record Oracle(String what, SortedMap<Probe, Set<String>> answers) {
  /** While one gives way to the other: what both answer, by any of those that either names. */
  static Oracle between(Oracle before, Oracle after) {
    SortedMap<Probe, Set<String>> both = new TreeMap<>();
    before.answers.forEach(
        (probe, backends) -> {
          Set<String> later = after.answers.get(probe);
          if (later != null) {
            Set<String> any = new TreeSet<>(backends);
            any.addAll(later);
            both.put(probe, any);
          }
        });
    return new Oracle(before.what + " -> " + after.what, both);
  }

  List<Probe> probes() {
    return List.copyOf(answers.keySet());
  }
}
