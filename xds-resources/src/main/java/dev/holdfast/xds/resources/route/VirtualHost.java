// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import dev.holdfast.xds.resources.filter.FilterOverride;
import java.util.List;
import java.util.Map;

/**
 * The routes of some hosts, in the order in which they are tried.
 *
 * @param domains exact names, {@code *.suffix}, {@code prefix.*} or {@code *}
 * @param filterOverrides what filters do for its calls, by their names (gRFC A39)
 */
public record VirtualHost(
    String name,
    List<String> domains,
    List<Route> routes,
    Map<String, FilterOverride> filterOverrides) {
  public VirtualHost {
    domains = List.copyOf(domains);
    routes = List.copyOf(routes);
    filterOverrides = Map.copyOf(filterOverrides);
  }

  /** A virtual host without overrides. */
  public VirtualHost(String name, List<String> domains, List<Route> routes) {
    this(name, domains, routes, Map.of());
  }
}
