// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.endpoint;

import java.util.List;

/**
 * The endpoints of one locality in one priority.
 *
 * @param weight its share of the traffic of its priority, at least 1
 * @param endpoints those that may be used, also those that are draining; if none but those, the
 *     locality is unreachable
 */
public record LocalityEndpoints(
    Locality locality, int priority, long weight, List<Endpoint> endpoints) {
  public LocalityEndpoints {
    endpoints = List.copyOf(endpoints);
  }

  /** The same without endpoints that are only for sessions that are there already (gRFC A55). */
  public LocalityEndpoints withoutDraining() {
    if (endpoints.stream().noneMatch(endpoint -> endpoint.health() == EndpointHealth.DRAINING)) {
      return this;
    }
    List<Endpoint> others =
        endpoints.stream()
            .filter(endpoint -> endpoint.health() != EndpointHealth.DRAINING)
            .toList();
    return new LocalityEndpoints(locality, priority, weight, others);
  }
}
