// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import com.google.protobuf.Any;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import java.util.List;
import java.util.SortedMap;

/** Hosts and their routes. */
public final class VirtualHosts {
  private static final String EVERY_HOST = "*";
  private static final int MISDIRECTED = 421;

  private VirtualHosts() {}

  /**
   * A host for Envoy.
   *
   * @param fqdn the host, possibly a wildcard; {@code *} for all that no other virtual host is for
   * @param routes the first that matches counts
   */
  public static VirtualHost of(
      String fqdn, List<Route> routes, SortedMap<String, Any> filterConfigs) {
    return VirtualHost.newBuilder()
        .setName(fqdn)
        .addDomains(fqdn)
        .addAllRoutes(routes)
        .putAllTypedPerFilterConfig(filterConfigs)
        .build();
  }

  /** A host for gRPC clients, which have asked for it by name and so need no other domain. */
  public static VirtualHost grpc(String fqdn, List<Route> routes) {
    return VirtualHost.newBuilder()
        .setName(fqdn)
        .addDomains(EVERY_HOST)
        .addAllRoutes(routes)
        .build();
  }

  /**
   * For requests to other hosts on a connection whose TLS is for one host: browsers share
   * connections between hosts of one certificate, and open a new one if they are told so.
   */
  public static VirtualHost misdirected() {
    return VirtualHost.newBuilder()
        .setName("misdirected")
        .addDomains(EVERY_HOST)
        .addRoutes(Routes.failing(RouteMatches.everything(EVERY_HOST), MISDIRECTED))
        .build();
  }
}
