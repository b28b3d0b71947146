// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decodes one virtual host. */
final class VirtualHostDecoder {
  private final Decoding decoding;
  private final ClusterSpecifierPlugins plugins;
  private final Domains domains = new Domains();

  VirtualHostDecoder(Decoding decoding, ClusterSpecifierPlugins plugins) {
    this.decoding = decoding;
    this.plugins = plugins;
  }

  /** The virtual host, without the routes that are to be ignored or that have problems. */
  VirtualHost decode(io.envoyproxy.envoy.config.route.v3.VirtualHost proto, Problems problems) {
    domains.validate(proto.getDomainsList(), problems);
    RouteDecoder routeDecoder =
        new RouteDecoder(
            decoding,
            new RouteActionDecoder(
                decoding,
                plugins,
                retryPolicy(proto, problems),
                proto.getHedgePolicy().getHedgeOnPerTryTimeout()));
    List<Route> routes = new ArrayList<>(proto.getRoutesCount());
    for (int i = 0; i < proto.getRoutesCount() && !Decoding.full(problems); i++) {
      Route route = routeDecoder.decode(proto.getRoutes(i), problems.at("routes", i));
      if (route != null) {
        routes.add(route);
      }
    }
    return new VirtualHost(
        proto.getName(),
        proto.getDomainsList(),
        routes,
        new FilterOverrides(decoding).decode(proto.getTypedPerFilterConfigMap(), problems));
  }

  private @Nullable RetryPolicy retryPolicy(
      io.envoyproxy.envoy.config.route.v3.VirtualHost proto, Problems problems) {
    return decoding.options().retryEnabled() && proto.hasRetryPolicy()
        ? RetryPolicyDecoder.decode(
            proto.getRetryPolicy(), decoding.options().perTryTimeout(), problems.at("retry_policy"))
        : null;
  }
}
