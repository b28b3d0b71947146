// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import dev.holdfast.controlplane.objects.httpproxy.Route;
import java.util.List;

/**
 * A route of an HTTPProxy, and what is known of where it stands.
 *
 * @param route as written
 * @param fqdn the virtual host's
 * @param namespace that of the object which the route is written in
 * @param targets those of its services that exist, in the order in which they are written
 */
public record RouteSpec(Route route, String fqdn, String namespace, List<Target> targets) {
  public RouteSpec {
    targets = List.copyOf(targets);
  }

  /** Those that answer, as opposed to those that get copies. */
  List<Target> answering() {
    return targets.stream().filter(target -> !target.service().mirror()).toList();
  }

  List<Target> mirrors() {
    return targets.stream().filter(target -> target.service().mirror()).toList();
  }
}
