// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import java.util.Map;
import java.util.TreeMap;

/** Counters and gauges under Envoy's names. */
final class Stats {
  private final Map<String, Long> values = new TreeMap<>();

  void add(String name) {
    values.merge(name, 1L, Long::sum);
  }

  void set(String name, long value) {
    values.put(name, value);
  }

  long get(String name) {
    return values.getOrDefault(name, 0L);
  }
}
