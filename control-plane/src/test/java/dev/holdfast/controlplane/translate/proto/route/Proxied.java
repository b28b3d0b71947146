// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import dev.holdfast.controlplane.objects.httpproxy.Route;
import dev.holdfast.controlplane.translate.proto.Written;
import java.util.List;

/** Routes of HTTPProxies, all of whose services exist. */
final class Proxied {
  static final String FQDN = "shop.example";

  private Proxied() {}

  /** For Envoy, in the form that was written. */
  static io.envoyproxy.envoy.config.route.v3.Route route(String yaml) {
    RouteSpec spec = spec(yaml);
    return Routes.of(spec, form(spec));
  }

  /** For gRPC clients, in the form that was written. */
  static List<io.envoyproxy.envoy.config.route.v3.Route> grpc(String yaml) {
    RouteSpec spec = spec(yaml);
    return GrpcRoutes.of(spec, form(spec));
  }

  static RouteForm form(RouteSpec spec) {
    return Rewrites.forms(spec.route(), spec.route().conditions(), unused -> false).get(0);
  }

  /** Each service's cluster has its name. */
  static RouteSpec spec(String yaml) {
    Route route = Written.route(yaml);
    List<Target> targets =
        route.action() instanceof Route.Forward forward
            ? forward.services().stream()
                .map(service -> new Target(service, "c/" + service.name()))
                .toList()
            : List.of();
    return new RouteSpec(route, FQDN, "shop", targets);
  }
}
