// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.Vhds;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import java.util.List;

/** Route tables. */
public final class RouteConfigurations {
  private RouteConfigurations() {}

  /** A table for Envoy without virtual hosts, which the caller appends as bytes. */
  public static RouteConfiguration skeleton(String name) {
    return RouteConfiguration.newBuilder().setName(name).setIgnorePortInHostMatching(true).build();
  }

  /** A table for Envoy that gets its virtual hosts one by one. */
  public static RouteConfiguration byHost(String name, ConfigSource hosts) {
    return skeleton(name).toBuilder().setVhds(Vhds.newBuilder().setConfigSource(hosts)).build();
  }

  /** A table for Envoy. */
  public static RouteConfiguration of(String name, List<VirtualHost> hosts) {
    return skeleton(name).toBuilder().addAllVirtualHosts(hosts).build();
  }
}
