// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.view;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one proxy is served in place of what its class is served. */
final class OwnVersions {
  private Snapshot selected = Snapshot.empty();
  private @Nullable Set<ResourceId> only;
  private boolean onTrial;
  private Snapshot ofClass = Snapshot.empty();
  private Snapshot served = Snapshot.empty();

  /**
   * @param ids the resources that differ from those of the class; null if all may
   * @param trial whether the proxy tries them
   */
  void replace(Snapshot next, @Nullable Set<ResourceId> ids, boolean trial) {
    selected = next;
    onTrial = trial;
    only = ids == null ? null : Set.copyOf(ids);
    ofClass = Snapshot.empty();
    served = Snapshot.empty();
  }

  boolean isOnTrial() {
    return onTrial;
  }

  boolean has(Resource resource) {
    return resource.equals(selected.get(resource.id()))
        && (only == null || only.contains(resource.id()));
  }

  /** What the proxy is served while its class is served a snapshot. */
  Snapshot in(Snapshot snapshot) {
    if (snapshot != ofClass) {
      served = only == null ? withEndpointsOf(snapshot) : some(snapshot, only);
      ofClass = snapshot;
    }
    return served;
  }

  private Snapshot some(Snapshot snapshot, Set<ResourceId> ids) {
    Snapshot next = snapshot;
    for (ResourceId id : ids) {
      Resource own = selected.get(id);
      if (own != null) {
        next = next.with(own);
      } else if (id.type() == ResourceType.LISTENER) {
        next = next.without(id); // nothing that the proxy runs can need it
      }
    }
    return next;
  }

  /** Endpoints are the same for all, and never wait. */
  private Snapshot withEndpointsOf(Snapshot snapshot) {
    Snapshot[] next = {selected};
    PersistentMap.Difference<String, Resource> replace =
        (name, own, other) -> next[0] = other == null ? next[0] : next[0].with(other);
    ResourceTable.diff(
        selected.listed(ResourceType.ENDPOINTS), snapshot.listed(ResourceType.ENDPOINTS), replace);
    ResourceTable.diff(
        selected.byName(ResourceType.ENDPOINTS), snapshot.byName(ResourceType.ENDPOINTS), replace);
    return next[0];
  }
}
