// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.controlplane.objects.httpproxy.Route;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.index.HeaderDefaults;
import dev.holdfast.controlplane.translate.proto.route.RouteForm;
import dev.holdfast.controlplane.translate.proto.route.RouteSpec;
import dev.holdfast.controlplane.translate.proto.route.Target;
import java.util.List;

/** A planned route in one of its forms; a list of them is in matching order. */
record OrderedRoute(PlannedRoute planned, RouteForm form) {
  FieldOrigin origin() {
    return planned.origin();
  }

  /** The names of the clusters that it refers to. */
  List<String> clusters() {
    return planned.upstreams().stream().map(upstream -> upstream.cluster().name()).toList();
  }

  /**
   * @param defaults the changes of headers that services do not make themselves
   */
  RouteSpec spec(Route route, String fqdn, HeaderDefaults defaults) {
    return new RouteSpec(
        route,
        fqdn,
        origin().object().namespace(),
        planned.upstreams().stream()
            .map(
                upstream ->
                    new Target(
                        upstream.service().withDefaults(defaults.request(), defaults.response()),
                        upstream.cluster().name()))
            .toList());
  }
}
