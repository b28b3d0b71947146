// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import java.util.List;

/**
 * The routes of some hosts, in the order in which they are tried.
 *
 * @param domains exact names, {@code *.suffix}, {@code prefix.*} or {@code *}
 */
public record VirtualHost(String name, List<String> domains, List<Route> routes) {
  public VirtualHost {
    domains = List.copyOf(domains);
    routes = List.copyOf(routes);
  }
}
