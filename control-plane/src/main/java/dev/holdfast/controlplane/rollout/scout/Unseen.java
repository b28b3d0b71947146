// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.scout;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What neither scouts nor the fleet run. That scouts have accepted an object says nothing of what
 * it has no effect on there: a policy for a host that they do not serve, because they serve another
 * one in its place.
 */
final class Unseen {
  private Unseen() {}

  /**
   * The objects that contribute something to a selection which is in no other one.
   *
   * @param tried what the fleet would try
   * @param served what the fleet is served
   * @param scouted what scouts have accepted
   */
  static SortedSet<ObjectKey> in(Snapshot tried, Snapshot served, Snapshot scouted) {
    SortedSet<ObjectKey> unseen = new TreeSet<>();
    Snapshot.diff(
        served,
        tried,
        (id, before, after) -> {
          if (after != null && id.type() != ResourceType.ENDPOINTS) { // which are not tried
            Resource known = scouted.get(id);
            PersistentMap.diff(
                parts(before),
                parts(after),
                (key, was, is) -> {
                  if (is != null && !is.equals(parts(known).get(key))) {
                    unseen.add(key);
                  }
                });
          }
        });
    return unseen;
  }

  private static PersistentMap<ObjectKey, String> parts(@Nullable Resource resource) {
    return resource == null ? PersistentMap.empty() : resource.contributions();
  }
}
