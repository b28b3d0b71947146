// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import java.util.List;

/**
 * What a call must look like to take a route: all of it must fit.
 *
 * @param fractionPerMillion which share of the calls that otherwise fit take it
 */
public record RouteMatch(PathMatcher path, List<HeaderMatcher> headers, int fractionPerMillion) {
  public RouteMatch {
    headers = List.copyOf(headers);
  }
}
