// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.listener;

import java.util.List;

/**
 * The HTTP filters of a listener.
 *
 * @param filters in the order in which they run; the last is the router
 * @param ignored those that calls go without
 */
public record HttpFilterChain(List<HttpFilter> filters, List<IgnoredFilter> ignored) {
  public HttpFilterChain {
    filters = List.copyOf(filters);
    ignored = List.copyOf(ignored);
  }
}
