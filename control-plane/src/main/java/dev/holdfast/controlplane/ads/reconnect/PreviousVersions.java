// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.reconnect;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All resources of one type that a reconnecting proxy may hold.
 *
 * @param held on the proxy's other streams, the newest last
 * @param restored tables that an earlier process of this control plane may have served
 */
public record PreviousVersions(List<HeldVersion> held, List<ResourceTable> restored) {
  /** The newest held resources of a SotW version; null if the version is unknown. */
  public @Nullable HeldVersion byVersion(String version) {
    HeldVersion found = null;
    for (HeldVersion one : held) {
      found = one.version().equals(version) ? one : found;
    }
    return found;
  }

  /** The table with a digest; null if it is unknown. */
  public @Nullable ResourceTable byDigest(String digest) {
    for (ResourceTable table : tables()) {
      if (table.version().equals(digest)) {
        return table;
      }
    }
    return null;
  }

  /** A resource by its version; null if the version is unknown. */
  public @Nullable Resource resource(String name, String version) {
    for (ResourceTable table : tables()) {
      Resource resource = table.get(name);
      if (resource != null && resource.version().equals(version)) {
        return resource;
      }
    }
    return null;
  }

  private List<ResourceTable> tables() {
    List<ResourceTable> tables = new ArrayList<>();
    held.forEach(one -> tables.add(one.table()));
    tables.addAll(restored);
    return tables;
  }
}
