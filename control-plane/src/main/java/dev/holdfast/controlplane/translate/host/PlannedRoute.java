// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.controlplane.objects.httpproxy.Conditions;
import dev.holdfast.controlplane.objects.httpproxy.Route;
import dev.holdfast.controlplane.objects.httpproxy.RouteService;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A route with the conditions under which it was included, or an include that leads nowhere.
 *
 * @param conditions all that must hold
 * @param route null for an include that leads nowhere
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

  /** A service and the cluster that stands for it. */
  record Upstream(RouteService service, PlannedCluster cluster) {}

  /** Whether it may be used without TLS though its host has TLS. */
  boolean permitInsecure() {
    return route != null && route.permitInsecure();
  }
}
