// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import java.util.List;

/**
 * A table of routes.
 *
 * @param name may be empty if it stands inside a listener
 */
public record RouteConfiguration(String name, List<VirtualHost> virtualHosts) {
  public RouteConfiguration {
    virtualHosts = List.copyOf(virtualHosts);
  }
}
