// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import com.google.protobuf.Any;
import dev.holdfast.controlplane.objects.httpproxy.RateLimitPolicy;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import java.util.List;
import java.util.SortedMap;

/** Virtual hosts. */
public final class VirtualHosts {
  private static final String EVERY_HOST = "*";
  private static final int MISDIRECTED = 421;

  private VirtualHosts() {}

  /**
   * A virtual host for Envoy.
   *
   * @param fqdn the host, possibly a wildcard; {@code *} for all hosts without a virtual host of
   *     their own
   * @param routes the first match counts
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

  /** The same host with limits that a service applies. */
  public static VirtualHost limited(VirtualHost host, RateLimitPolicy limits) {
    return host.toBuilder().addAllRateLimits(GlobalRateLimits.of(limits)).build();
  }

  /**
   * A virtual host for gRPC clients, which ask for the host by name and so need no other domain.
   */
  public static VirtualHost grpc(String fqdn, List<Route> routes) {
    return VirtualHost.newBuilder()
        .setName(fqdn)
        .addDomains(EVERY_HOST)
        .addAllRoutes(routes)
        .build();
  }

  /**
   * Answers requests to other hosts on a TLS connection that is for one host with 421: browsers
   * share connections between hosts of one certificate, and on this status open a new connection.
   */
  public static VirtualHost misdirected() {
    return VirtualHost.newBuilder()
        .setName("misdirected")
        .addDomains(EVERY_HOST)
        .addRoutes(Routes.failing(RouteMatches.everything(EVERY_HOST), MISDIRECTED))
        .build();
  }
}
