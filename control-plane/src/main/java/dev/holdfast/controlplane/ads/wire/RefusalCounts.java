// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How often each limit was reached since the process started. Any thread. */
public final class RefusalCounts {
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

  /**
   * @param limit one of the names in {@link AdsLimits}
   */
  public void count(String limit) {
    counts.computeIfAbsent(limit, unused -> new LongAdder()).increment();
  }

  public SortedMap<String, Long> byLimit() {
    SortedMap<String, Long> all = new TreeMap<>();
    counts.forEach((limit, count) -> all.put(limit, count.sum()));
    return Collections.unmodifiableSortedMap(all);
  }
}
