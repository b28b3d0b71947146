// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import org.jspecify.annotations.Nullable;

/**
 * Computes the table that a proxy runs once it has accepted a response. Streams with equal tables
 * get equal responses, mostly one changed resource; that table is computed once for all of them.
 * Loop only.
 */
final class NextTableCache {
  private ResourceTable before = ResourceTable.empty();
  private @Nullable Resource change;
  private ResourceTable after = ResourceTable.empty();

  ResourceTable after(ResourceTable running, PlannedResponse planned) {
    boolean one = planned.sends.size() == 1;
    ResourceTable result = running;
    for (Resource resource : planned.sends.values()) {
      result = one ? with(result, resource) : result.with(resource);
    }
    for (String name : planned.removes) {
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
