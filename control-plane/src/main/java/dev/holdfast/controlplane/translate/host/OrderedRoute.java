// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.controlplane.objects.httpproxy.Route;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.proto.route.RouteForm;
import dev.holdfast.controlplane.translate.proto.route.RouteSpec;
import dev.holdfast.controlplane.translate.proto.route.Target;
import java.util.List;

/** A route in one of its forms, at its place in the order of the host. */
record OrderedRoute(PlannedRoute planned, RouteForm form) {
  FieldOrigin origin() {
    return planned.origin();
  }

  /** The clusters that it needs. */
  List<String> needs() {
    return planned.upstreams().stream().map(upstream -> upstream.cluster().name()).toList();
  }

  RouteSpec spec(Route route, String fqdn) {
    return new RouteSpec(
        route,
        fqdn,
        origin().object().namespace(),
        planned.upstreams().stream()
            .map(upstream -> new Target(upstream.service(), upstream.cluster().name()))
            .toList());
  }

  /** The same for those who can use none of its services. */
  OrderedRoute withoutUpstreams() {
    return new OrderedRoute(
        new PlannedRoute(
            planned.origin(), planned.conditions(), planned.route(), planned.index(), List.of()),
        form);
  }
}
