// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.filter;

import org.jspecify.annotations.Nullable;

/**
 * What a filter does instead, for the calls of a virtual host, of a route or of a cluster.
 *
 * @param config null if it does nothing
 */
public record FilterOverride(@Nullable FilterConfig config) {
  /** Calls pass the filter. */
  public static final FilterOverride DISABLED = new FilterOverride(null);
}
