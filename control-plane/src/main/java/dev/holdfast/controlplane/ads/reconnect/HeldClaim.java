// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.reconnect;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the first request on a stream says that the proxy holds.
 *
 * @param type of the request; null if the stream does not carry it
 * @param version in SotW, of everything; empty if the proxy names none
 * @param versions in Delta, by name
 */
public record HeldClaim(@Nullable ResourceType type, String version, Map<String, String> versions) {

  /** Whether the proxy holds nothing of the type, as a process does that has just started. */
  public boolean isNothing() {
    return version.isEmpty() && versions.isEmpty();
  }

  /** Whether the proxy names its versions as Delta does; one that holds nothing names none. */
  boolean isDelta() {
    return !versions.isEmpty();
  }

  /** Whether the proxy may be the one that held these resources. */
  public boolean matches(PreviousVersions previous) {
    for (HeldVersion held : previous.held()) {
      if (!version.isEmpty() && held.version().equals(version)) {
        return true;
      }
      for (Map.Entry<String, String> claim : versions.entrySet()) {
        if (has(held.table(), claim) || has(held.next(), claim)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean has(ResourceTable table, Map.Entry<String, String> claim) {
    Resource resource = table.get(claim.getKey());
    return resource != null && resource.version().equals(claim.getValue());
  }
}
