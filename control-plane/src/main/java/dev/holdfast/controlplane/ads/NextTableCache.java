// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import org.jspecify.annotations.Nullable;

/**
 * What a proxy runs when it has accepted a response. Streams that had the same get the same, mostly
 * one changed resource, and then it is worked out once for all of them. Loop only.
 */
final class NextTableCache {
  private ResourceTable before = ResourceTable.empty();
  private @Nullable Resource change;
  private ResourceTable after = ResourceTable.empty();

  ResourceTable from(ResourceTable running, PlannedResponse draft) {
    boolean one = draft.sends.size() == 1;
    ResourceTable result = running;
    for (Resource resource : draft.sends.values()) {
      result = one ? with(result, resource) : result.with(resource);
    }
    for (String name : draft.removes) {
      result = result.without(name);
    }
    return result;
  }

  private ResourceTable with(ResourceTable running, Resource resource) {
    if (running != before || !resource.equals(change)) {
      before = running;
      change = resource;
      after = running.with(resource);
    }
    return after;
  }
}
