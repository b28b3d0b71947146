// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.listener;

import dev.holdfast.xds.resources.filter.FilterConfig;

/**
 * One filter that calls pass.
 *
 * @param name of this instance, unique in its listener: overrides name it
 * @param config what it does where nothing overrides it
 * @param disabled whether it does nothing where nothing overrides it
 */
public record HttpFilter(String name, FilterConfig config, boolean disabled) {
  /** The type of the filter that hands calls to their clusters; none comes after it. */
  public static final String ROUTER = "envoy.extensions.filters.http.router.v3.Router";

  /** A filter that is not disabled. */
  public HttpFilter(String name, FilterConfig config) {
    this(name, config, /* disabled= */ false);
  }
}
