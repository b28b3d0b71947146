// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import dev.holdfast.controlplane.objects.httpproxy.Route;
import java.util.List;

/**
 * A route of an HTTPProxy with its context.
 *
 * @param route as written
 * @param fqdn of the virtual host
 * @param namespace of the object that contains the route
 * @param targets the services of the route that exist, in the order of the route
 */
public record RouteSpec(Route route, String fqdn, String namespace, List<Target> targets) {
  public RouteSpec {
    targets = List.copyOf(targets);
  }

  /** The targets whose responses are used, as opposed to mirrors. */
  List<Target> answering() {
    return targets.stream().filter(target -> !target.service().mirror()).toList();
  }

  List<Target> mirrors() {
    return targets.stream().filter(target -> target.service().mirror()).toList();
  }
}
