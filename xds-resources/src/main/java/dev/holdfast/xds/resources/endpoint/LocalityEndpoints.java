// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.endpoint;

import java.util.List;

/**
 * The endpoints of one locality in one priority.
 *
 * @param weight its share of the traffic of its priority, at least 1
 * @param endpoints those that may be used; if empty, the locality is unreachable
 */
public record LocalityEndpoints(
    Locality locality, int priority, long weight, List<Endpoint> endpoints) {
  public LocalityEndpoints {
    endpoints = List.copyOf(endpoints);
  }
}
