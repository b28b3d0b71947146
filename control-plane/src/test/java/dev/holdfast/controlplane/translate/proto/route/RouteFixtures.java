// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import dev.holdfast.controlplane.objects.httpproxy.Route;
import dev.holdfast.controlplane.translate.proto.YamlFixtures;
import java.util.List;

/** Routes of HTTPProxies all of whose services exist. */
final class RouteFixtures {
  static final String FQDN = "shop.example";

  private RouteFixtures() {}

  /** The route for Envoy, in the written form. */
  static io.envoyproxy.envoy.config.route.v3.Route route(String yaml) {
    RouteSpec spec = spec(yaml);
    return Routes.of(spec, form(spec));
  }

  /** The routes for gRPC clients, in the written form. */
  static List<io.envoyproxy.envoy.config.route.v3.Route> grpc(String yaml) {
    RouteSpec spec = spec(yaml);
    return GrpcRoutes.of(spec, form(spec).conditions());
  }

  static RouteForm form(RouteSpec spec) {
    return Rewrites.forms(spec.route(), spec.route().conditions(), unused -> false).get(0);
  }

  /** A spec in which each cluster is named after its service. */
  static RouteSpec spec(String yaml) {
    Route route = YamlFixtures.route(yaml);
    List<Target> targets =
        route.action() instanceof Route.Forward forward
            ? forward.services().stream()
                .map(service -> new Target(service, "c/" + service.name()))
                .toList()
            : List.of();
    return new RouteSpec(route, FQDN, "shop", targets);
  }
}
