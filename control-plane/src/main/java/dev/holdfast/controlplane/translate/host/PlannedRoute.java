// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.controlplane.objects.httpproxy.Conditions;
import dev.holdfast.controlplane.objects.httpproxy.Route;
import dev.holdfast.controlplane.objects.httpproxy.RouteService;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A route merged with the conditions of its includes, or an include that cannot be resolved.
 *
 * @param conditions all conditions that must hold
 * @param route null for an include that cannot be resolved
 * @param index of the route, or of the include, in its object
 * @param upstreams the services of the route that can be used
 */
record PlannedRoute(
    FieldOrigin origin,
    Conditions conditions,
    @Nullable Route route,
    int index,
    List<Upstream> upstreams) {
  PlannedRoute {
    upstreams = List.copyOf(upstreams);
  }

  /** A service with its cluster. */
  record Upstream(RouteService service, PlannedCluster cluster) {}

  /** Whether the route is also served without TLS although its host has TLS. */
  boolean permitInsecure() {
    return route != null && route.permitInsecure();
  }
}
