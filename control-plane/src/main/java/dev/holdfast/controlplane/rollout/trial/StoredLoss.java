// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import static java.util.Collections.unmodifiableSortedMap;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A canary that was lost, as the next process has to know it.
 *
 * @param isSilent whether it stayed connected, and did not answer
 * @param isCold whether all proxies were shown the same, because there was no baseline
 * @param isDeath whether it came back with nothing
 * @param isAlone whether it is known that few others left at the same time
 * @param after how long after it was shown the changes
 * @param shown the generations of the objects that it was shown
 */
public record StoredLoss(
    Key key,
    boolean isSilent,
    boolean isCold,
    boolean isDeath,
    boolean isAlone,
    Duration after,
    Instant at,
    SortedMap<ObjectKey, Long> shown) {
  /** A trial of everything has as many objects as there are; the rest is hardly to blame. */
  private static final int MOST_SHOWN = 500;

  public StoredLoss {
    shown = unmodifiableSortedMap(new TreeMap<>(shown));
  }

  /** Which proxy was lost in which trial. */
  public record Key(String proxyClass, String node, long trial) {}

  /** As many objects as are stored: first those that proxies get as their authors wrote them. */
  static SortedMap<ObjectKey, Long> few(SortedMap<ObjectKey, Long> shown) {
    if (shown.size() <= MOST_SHOWN) {
      return shown;
    }
    SortedMap<ObjectKey, Long> few = new TreeMap<>();
    shown.entrySet().stream()
        .sorted(Comparator.comparing(entry -> !isPolicy(entry)))
        .limit(MOST_SHOWN)
        .forEach(entry -> few.put(entry.getKey(), entry.getValue()));
    return few;
  }

  private static boolean isPolicy(Map.Entry<ObjectKey, Long> entry) {
    return entry.getKey().kind().equals(ExtensionPolicy.KIND);
  }
}
