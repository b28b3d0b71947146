// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.ads.fleet.PartStatus;
import dev.holdfast.controlplane.ads.fleet.ProxyGroups;
import dev.holdfast.controlplane.report.ProxyCounts;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Polls the fleet about one object. A proxy runs an object if it runs the object's part of every
 * resource in its footprint.
 */
final class FleetPoll {
  private FleetPoll() {}

  /**
   * @param classes selects the proxy classes to poll
   */
  static PollResult poll(
      ObjectKey key,
      PersistentMap<ResourceId, String> footprint,
      ProxyGroups fleet,
      Predicate<String> classes) {
    SortedMap<String, ProxyCounts> byClass = new TreeMap<>();
    ProxyCounts all = ProxyCounts.NONE;
    PollResult.@Nullable Refusal refusal = null;
    PollResult.@Nullable Inability inability = null;
    for (ProxyGroups.Group group : fleet.groups()) {
      if (!classes.test(group.proxyClass())) {
        continue;
      }
      PartStatus worst = PartStatus.UNCONCERNED;
      @Nullable ResourceId where = null;
      for (Map.Entry<ResourceId, String> part : footprint) {
        PartStatus standing = group.status(part.getKey(), key, part.getValue());
        if (PartStatus.worse(worst, standing) != worst) {
          worst = standing;
          where = part.getKey();
        }
      }
      ProxyCounts counts = counts(worst, group.size());
      if (counts.total() > 0) {
        byClass.merge(group.proxyClass(), counts, ProxyCounts::plus);
        all = all.plus(counts);
      }
      if (refusal == null && where != null && worst instanceof PartStatus.Refused refused) {
        refusal = new PollResult.Refusal(group.node(), where, refused.message());
      }
      if (inability == null && worst instanceof PartStatus.Unable unable) {
        inability = new PollResult.Inability(group.node(), unable.resource(), unable.message());
      }
    }
    return new PollResult(all, all, byClass, refusal, inability);
  }

  private static ProxyCounts counts(PartStatus standing, int size) {
    if (standing instanceof PartStatus.Runs) {
      return new ProxyCounts(size, size, 0, 0);
    }
    if (standing instanceof PartStatus.Pending || standing instanceof PartStatus.Unable) {
      return new ProxyCounts(size, 0, size, 0);
    }
    return standing instanceof PartStatus.Refused
        ? new ProxyCounts(size, 0, 0, size)
        : ProxyCounts.NONE;
  }
}
