// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import dev.holdfast.controlplane.ads.ProxyNode;
import dev.holdfast.controlplane.report.ProxyCounts;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What the fleet makes of an object.
 *
 * @param all over all classes
 * @param refusal one of those, if there are any
 * @param inability the first proxy that cannot run it for reasons of its machine, if there is one
 */
record Judged(
    ProxyCounts all,
    SortedMap<String, ProxyCounts> byClass,
    @Nullable Refusal refusal,
    @Nullable Inability inability) {
  /** Who refused what, and why; the message is as it came. */
  record Refusal(ProxyNode node, ResourceId resource, String message) {}

  /** Who cannot run what, and why; the message is as it came. */
  record Inability(ProxyNode node, ResourceId resource, String message) {}
}
