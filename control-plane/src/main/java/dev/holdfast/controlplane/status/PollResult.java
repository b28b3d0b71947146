// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import dev.holdfast.controlplane.ads.proxy.ProxyNode;
import dev.holdfast.controlplane.report.ProxyCounts;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the fleet makes of an object.
 *
 * @param all over all classes
 * @param common over all classes that do not go their own way
 * @param refusal one of those, if there are any
 * @param inability the first proxy that cannot run it for reasons of its machine, if there is one
 */
record PollResult(
    ProxyCounts all,
    ProxyCounts common,
    SortedMap<String, ProxyCounts> byClass,
    @Nullable Refusal refusal,
    @Nullable Inability inability) {
  /** Who refused what, and why; the message is as it came. */
  record Refusal(ProxyNode node, ResourceId resource, String message) {}

  /** Who cannot run what, and why; the message is as it came. */
  record Inability(ProxyNode node, ResourceId resource, String message) {}

  /** With what proxies make of it that go their own way. */
  PollResult plus(PollResult separate) {
    SortedMap<String, ProxyCounts> both = new TreeMap<>(byClass);
    separate.byClass.forEach((name, counts) -> both.merge(name, counts, ProxyCounts::plus));
    return new PollResult(
        all.plus(separate.all),
        common,
        both,
        refusal == null ? separate.refusal : refusal,
        inability == null ? separate.inability : inability);
  }

  /** Whether everybody runs it who matters: where all go their own way, that is all of them. */
  boolean isEverywhere() {
    ProxyCounts counts = common.total() > 0 ? common : all;
    return counts.total() > 0 && counts.programmed() == counts.total();
  }
}
