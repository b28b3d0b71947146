// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.listener;

import java.time.Duration;
import java.util.List;

/**
 * How the calls of a listener are handled.
 *
 * @param chain the filters that calls pass
 * @param maxStreamDuration the limit on a call's duration where a route has none of its own (gRFC
 *     A31); zero for no limit
 */
public record HttpConnectionManager(
    RouteSource routes, HttpFilterChain chain, Duration maxStreamDuration) {

  /** One whose filters are all supported. */
  public HttpConnectionManager(
      RouteSource routes, List<HttpFilter> httpFilters, Duration maxStreamDuration) {
    this(routes, new HttpFilterChain(httpFilters, List.of()), maxStreamDuration);
  }

  /** The filters in the order in which they run; the last is the router. */
  public List<HttpFilter> httpFilters() {
    return chain.filters();
  }
}
