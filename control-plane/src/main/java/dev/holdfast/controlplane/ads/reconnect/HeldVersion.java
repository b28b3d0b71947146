// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.reconnect;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import java.util.Collections;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * The resources of one type that a proxy holds if it names a version.
 *
 * @param version that the proxy accepted last
 * @param table the resources of that version, without those it unsubscribed from since
 * @param uncertain names in a response that the proxy has not answered: it may hold the old or the
 *     new version of each
 * @param next the resources that the proxy holds if it applied that response
 */
public record HeldVersion(
    String version, ResourceTable table, SortedSet<String> uncertain, ResourceTable next) {

  /** Of a proxy that has answered every response. */
  public static HeldVersion certain(String version, ResourceTable table) {
    return new HeldVersion(version, table, Collections.emptySortedSet(), table);
  }

  /**
   * Whether the proxy applied the unanswered response to a name.
   *
   * @param claimed the version of the name that the proxy says it holds; null if it does not
   */
  public boolean isApplied(String name, @Nullable String claimed) {
    Resource sent = next.get(name);
    return sent == null ? claimed == null : sent.version().equals(claimed);
  }
}
