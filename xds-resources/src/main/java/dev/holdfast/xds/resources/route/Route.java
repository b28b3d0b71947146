// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import dev.holdfast.xds.resources.filter.FilterOverride;
import java.util.Map;

/**
 * One route.
 *
 * @param name for people; may be empty
 * @param filterOverrides what filters do for its calls, by their names (gRFC A39)
 */
public record Route(
    String name,
    RouteMatch match,
    RouteAction action,
    Map<String, FilterOverride> filterOverrides) {
  public Route {
    filterOverrides = Map.copyOf(filterOverrides);
  }

  /** A route without overrides. */
  public Route(String name, RouteMatch match, RouteAction action) {
    this(name, match, action, Map.of());
  }
}
