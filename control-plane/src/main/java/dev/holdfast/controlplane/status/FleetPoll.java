// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.ads.Fleet;
import dev.holdfast.controlplane.ads.Standing;
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
      Fleet fleet,
      Predicate<String> classes) {
    SortedMap<String, ProxyCounts> byClass = new TreeMap<>();
    ProxyCounts all = ProxyCounts.NONE;
    PollResult.@Nullable Refusal refusal = null;
    PollResult.@Nullable Inability inability = null;
    for (Fleet.Group group : fleet.groups()) {
      if (!classes.test(group.proxyClass())) {
        continue;
      }
      Standing worst = Standing.UNCONCERNED;
      @Nullable ResourceId where = null;
      for (Map.Entry<ResourceId, String> part : footprint) {
        Standing standing = group.standing(part.getKey(), key, part.getValue());
        if (Standing.worse(worst, standing) != worst) {
          worst = standing;
          where = part.getKey();
        }
      }
      ProxyCounts counts = counts(worst, group.size());
      if (counts.total() > 0) {
        byClass.merge(group.proxyClass(), counts, ProxyCounts::plus);
        all = all.plus(counts);
      }
      if (refusal == null && where != null && worst instanceof Standing.Refused refused) {
        refusal = new PollResult.Refusal(group.node(), where, refused.message());
      }
      if (inability == null && worst instanceof Standing.Unable unable) {
        inability = new PollResult.Inability(group.node(), unable.resource(), unable.message());
      }
    }
    return new PollResult(all, all, byClass, refusal, inability);
  }

  private static ProxyCounts counts(Standing standing, int size) {
    if (standing instanceof Standing.Runs) {
      return new ProxyCounts(size, size, 0, 0);
    }
    if (standing instanceof Standing.Pending || standing instanceof Standing.Unable) {
      return new ProxyCounts(size, 0, size, 0);
    }
    return standing instanceof Standing.Refused
        ? new ProxyCounts(size, 0, 0, size)
        : ProxyCounts.NONE;
  }
}
