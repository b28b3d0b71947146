// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import dev.holdfast.base.SortedCopies;
import dev.holdfast.controlplane.ads.proxy.ProxyNode;
import dev.holdfast.controlplane.report.ProxyCounts;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The result of polling the fleet about an object.
 *
 * @param all counts over all proxy classes
 * @param common counts over the classes that follow the common rollout
 * @param byClass counts by proxy class
 * @param refusal one of the rejections; null if there are none
 * @param inability the first proxy that cannot run the object because of a local problem; null if
 *     there is none
 */
record PollResult(
    ProxyCounts all,
    ProxyCounts common,
    SortedMap<String, ProxyCounts> byClass,
    @Nullable Refusal refusal,
    @Nullable Inability inability) {
  PollResult {
    byClass = SortedCopies.of(byClass);
  }

  /** No proxy was polled. */
  static final PollResult NONE =
      new PollResult(ProxyCounts.NONE, ProxyCounts.NONE, Collections.emptySortedMap(), null, null);

  /** A rejection of a resource by a proxy; the message is unmodified. */
  record Refusal(ProxyNode node, ResourceId resource, String message) {}

  /** A proxy that cannot run a resource because of a local problem; the message is unmodified. */
  record Inability(ProxyNode node, ResourceId resource, String message) {}

  /** Adds the result for a separate proxy class. */
  PollResult plus(PollResult separate) {
    SortedMap<String, ProxyCounts> merged = new TreeMap<>(byClass);
    separate.byClass.forEach((name, counts) -> merged.merge(name, counts, ProxyCounts::plus));
    return new PollResult(
        all.plus(separate.all),
        common,
        merged,
        refusal == null ? separate.refusal : refusal,
        inability == null ? separate.inability : inability);
  }

  /** The same with proxies that are counted, and decide nothing. */
  PollResult and(ProxyCounts diverged) {
    return new PollResult(all.plus(diverged), common, byClass, refusal, inability);
  }

  /**
   * Whether all proxies that follow the common rollout run the object. If every class is separate:
   * whether all proxies run it.
   */
  boolean isFullyProgrammed() {
    ProxyCounts counts = inForce();
    return counts.total() > 0 && counts.programmed() == counts.total();
  }

  /** The counts that tell which generation is in force. */
  ProxyCounts inForce() {
    return common.total() > 0 ? common : all;
  }
}
